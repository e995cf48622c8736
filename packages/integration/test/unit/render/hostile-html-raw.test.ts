import { expect, test } from 'vitest';
import { STRINGS } from '../../support/corpora.js';
import { answer, schemaScript } from '../../support/service/payload.js';
import { HTML_FIELDS } from '../../support/unit/fields.js';
import { expectHarmless } from '../../support/unit/harmless.js';

/** The html stands in for it: what is read is written twice. */
const UNREADABLE = schemaScript('');

// The service is to escape what strangers write. A page must not rely on it.
test.each(HTML_FIELDS)(
	'hostile text as it came, as %s of the html, is harmless',
	(_name, write, displays) => {
		let read = 0;
		for (const [index, text] of STRINGS.entries()) {
			const display = displays[index % displays.length];
			if (expectHarmless(answer({ html: write(text), jsonld: UNREADABLE }), display)) read += 1;
		}
		expect(read).toBeGreaterThan(STRINGS.length / 2);
	},
	60_000,
);
