import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scriptText } from '../../../src/parse/script-text.js';
import { STRINGS } from '../../support/corpora.js';
import { SCHEMA, schemaScript } from '../../support/service/payload.js';
import { scriptJson } from '../../support/unit/escaped.js';
import { damaged, times } from '../../support/unit/fuzz.js';
import { anyOf, documentedJsonld } from '../../support/unit/fuzz-payload.js';

/**
 * The text of the script, which must be the one that a parser finds: white space before the documented shape makes it
 * one that only the parser reads.
 */
function scriptTextOf(markup: string): string | undefined {
	const [found, parsed] = [scriptText(markup), scriptText(` ${markup}`)];
	if (found !== parsed) expect(found, JSON.stringify(markup)).toBe(parsed);
	return found;
}

test('a damaged script is found as a parser finds it', () => {
	let found = 0;
	const property = fc.property(damaged(anyOf(documentedJsonld)), (markup) => {
		if (scriptTextOf(markup) !== undefined) found += 1;
	});
	fc.assert(property, times(10_000));
	expect(found).toBeGreaterThan(2_000);
});

test('a script with any hostile text, raw and escaped, is found as a parser finds it', () => {
	for (const name of STRINGS) {
		expect(scriptTextOf(schemaScript(JSON.stringify({ ...SCHEMA, name })))).toBeDefined();
		expect(scriptTextOf(schemaScript(scriptJson({ ...SCHEMA, name })))).toContain('Product');
	}
});
