import { expect, test } from 'vitest';
import { cleanLine, cleanText } from '../../../src/text/clean-text.js';

test.each([
	['cleanLine', cleanLine],
	['cleanText', cleanText],
])(
	'%s: the short way for simple texts gives what the long way gives, for every character',
	(_name, clean) => {
		for (let code = 0; code < 0x1_0000; code++) {
			const character = String.fromCharCode(code);
			for (const text of [
				`a${character}b`,
				`${character}b`,
				`a${character}`,
				`a ${character} b`,
				`a  ${character}`,
			]) {
				// A control character goes away, and keeps a text from being simple.
				const long = clean(`a\u0001 ${text} b`, 100);
				const inside = long?.slice(2, -2);
				const short = clean(`a ${text} b`, 100)?.slice(2, -2);
				if (short !== inside) expect(`${code.toString(16)} ${short}`).toBe(`${code.toString(16)} ${inside}`);
				const alone = clean(text, 100);
				const spoiled = clean(`${text}\u0001`, 100);
				if (alone !== spoiled)
					expect(`${code.toString(16)} ${alone}`).toBe(`${code.toString(16)} ${spoiled}`);
			}
		}
	},
);

test('a text of simple words that never ends is no trouble', () => {
	const started = performance.now();
	expect(cleanLine(`${'a '.repeat(100_000)}\u0001`, 1_000_000)).toHaveLength(199_999);
	expect(cleanText(`${'a\n'.repeat(100_000)}\u0001`, 1_000_000)).toHaveLength(199_999);
	expect(performance.now() - started).toBeLessThan(1_000);
});
