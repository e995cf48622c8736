import fc from 'fast-check';
import { parseFragment, serialize } from 'parse5';
import { expect, test } from 'vitest';
import { damaged, strangersText, times } from '../../support/unit/fuzz.js';
import { anyOf, documentedHtml, documentedJsonld, payloadOf } from '../../support/unit/fuzz-payload.js';
import { expectHarmless, readOrRefuse } from '../../support/unit/harmless.js';
import { cpuTimeOf, LIMIT_IN_MS } from '../../support/unit/worst-case.js';
import { writeAll } from '../../support/unit/write.js';

const html = anyOf(documentedHtml);
const jsonld = anyOf(documentedJsonld);
const display = fc.constantFrom('hidden', 'visible', 'details' as const);

test('a documented answer is read, or refused with the one error that is for it, and harmless', () => {
	let read = 0;
	const property = fc.property(payloadOf(documentedHtml, documentedJsonld), display, (payload, shown) => {
		if (expectHarmless(payload, shown)) read += 1;
	});
	fc.assert(property, times(500));
	expect(read).toBeGreaterThan(200);
});

test('a damaged answer is read, or refused with the one error that is for it, in time, and harmless', () => {
	let read = 0;
	const property = fc.property(payloadOf(damaged(html), damaged(jsonld)), display, (payload, shown) => {
		expect(cpuTimeOf(() => readOrRefuse(payload))).toBeLessThan(LIMIT_IN_MS);
		if (expectHarmless(payload, shown)) read += 1;
	});
	fc.assert(property, times(3_000));
	expect(read).toBeGreaterThan(500);
});

test('an answer that is anything at all is read, or refused with the one error that is for it, and harmless', () => {
	const property = fc.property(payloadOf(strangersText, strangersText), (payload) => {
		expectHarmless(payload);
	});
	fc.assert(property, times(1_000));
});

test('what is written stays as it is when a parser has read and written it', () => {
	const property = fc.property(payloadOf(damaged(html), jsonld), display, (payload, shown) => {
		const product = readOrRefuse(payload);
		const once = serialize(parseFragment(product ? writeAll(product, shown) : ''));
		expect(serialize(parseFragment(once))).toBe(once);
	});
	fc.assert(property, times(1_000));
});
