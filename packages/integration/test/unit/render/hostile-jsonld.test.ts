import { expect, test } from 'vitest';
import { STRINGS } from '../../support/corpora.js';
import { answer, schemaScript } from '../../support/service/payload.js';
import { scriptJson } from '../../support/unit/escaped.js';
import { SCHEMA_FIELDS } from '../../support/unit/fields.js';
import { expectHarmless } from '../../support/unit/harmless.js';

const DISPLAYS = ['hidden', 'visible', 'details'] as const;

// Where there is no html, the structured data stands in for it: what is read is written twice.
test.each(SCHEMA_FIELDS)(
	'hostile text as %s of the structured data, as it came or escaped for a script, is harmless',
	(_name, write) => {
		let [read, readEscaped] = [0, 0];
		for (const [index, text] of STRINGS.entries()) {
			const display = DISPLAYS[index % DISPLAYS.length];
			const [asItCame, escaped] = [JSON.stringify(write(text)), scriptJson(write(text))];
			if (expectHarmless(answer({ html: '', jsonld: schemaScript(asItCame) }), display)) read += 1;
			if (expectHarmless(answer({ html: '', jsonld: schemaScript(escaped) }), display)) readEscaped += 1;
		}
		expect(read).toBeGreaterThan(3_000);
		expect(readEscaped).toBe(STRINGS.length);
	},
	60_000,
);
