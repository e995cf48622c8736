import { expect, test } from 'vitest';
import { STRINGS } from '../../support/corpora.js';
import { answer } from '../../support/service/payload.js';
import { escaped } from '../../support/unit/escaped.js';
import { HTML_FIELDS } from '../../support/unit/fields.js';
import { expectHarmless } from '../../support/unit/harmless.js';

// A text that is escaped as it should be is text to the end: it is read, and does nothing.
test.each(HTML_FIELDS)(
	'hostile text escaped, as %s of the html, is harmless',
	(_name, write, displays) => {
		let read = 0;
		for (const [index, text] of STRINGS.entries()) {
			const display = displays[index % displays.length];
			if (expectHarmless(answer({ html: write(escaped(text)), jsonld: '' }), display)) read += 1;
		}
		expect(read).toBe(STRINGS.length);
	},
	60_000,
);
