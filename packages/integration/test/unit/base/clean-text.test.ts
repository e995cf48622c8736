import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanLine, cleanText, withoutSecrets } from '../../../src/base/words.js';

test.each([
	['cleanLine', cleanLine],
	['cleanText', cleanText],
])('%s: the short way for simple texts gives what the long way does, for every character', (_name, clean) => {
	for (let code = 0; code < 0x1_0000; code++) {
		const one = String.fromCharCode(code);
		for (const text of [`a${one}b`, `${one}b`, `a${one}`, `a ${one} b`, `a  ${one}`]) {
			// A control character goes away, and keeps a text from being simple.
			const [short, long] = [clean(text, 100), clean(`${text}\u0001`, 100)];
			if (short !== long) expect(`${code.toString(16)} ${short}`).toBe(`${code.toString(16)} ${long}`);
		}
	}
});

test.each<Readonly<Record<string, unknown>>>([
	{ url: 'redis://:password@10.0.0.1:6379' },
	{ url: 'redis://:pass/word@10.0.0.1:6379' },
	{ url: 'redis://user:pa/ss@wo/rd@10.0.0.1:6379/0' },
	{ base: 'https://storage.example/reviews?sig=canary' },
	{ cluster: [{ host: '10.0.0.1', password: 'canary' }] },
])('what may be a secret in %j is left out, and named', (secret) => {
	const config = { base: '.cache/reviews', ttl: 60, url: 'redis://10.0.0.1:6379/0' };
	expect(withoutSecrets(config)).toEqual({ config, omitted: [] });
	const [name = ''] = Object.keys(secret);
	const { [name as 'url']: _, ...kept } = config;
	expect(withoutSecrets({ ...config, ...secret })).toEqual({ config: kept, omitted: [name] });
});

test.each([
	[
		'instructions in tags',
		'Good\u{e0049}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e0065} kettle',
		'Good kettle',
	],
	['instructions in variation selectors', 'Good\ufe0f\u{e0115}\u{e0126} kettle', 'Good kettle'],
	['letters without width between letters', 'K\u200be\u200ct\u200dt\u2060l\ufeffe\u00ad', 'Kettle'],
	['marks that turn left-to-right text', '\u202eelttek\u202c \u2066a\u2069\u200f', 'elttek a'],
	[
		'marks of right-to-left text, but no override',
		'\u05e7\u05d5\u200f! \u202bab\u202c \u202ecd',
		'\u05e7\u05d5\u200f! \u202bab\u202c cd',
	],
	['a run of joiners', '\u06a9\u200c\u200d\u200c\u06af', '\u06a9\u06af'],
	['tags after an emoji that is no flag', '\u{1f3f4}\u{e0068}\u{e0069}\u{e007f}', '\u{1f3f4}'],
])('people do not see %s, so it leaves the text, and is counted', (_name, text, expected) => {
	const dropped: string[] = [];
	expect(cleanLine(text, 100, (part) => dropped.push(part))).toBe(expected);
	expect(cleanText(text, 100)).toBe(expected);
	expect(dropped).toEqual(['unseen-characters-removed']);
});

test.each([
	['a family', '\u{1f469}\u{1f3fd}\u200d\u2764\ufe0f\u200d\u{1f468} ok'],
	['a key', '1\ufe0f\u20e3'],
	['the flag of Wales', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}'],
	['Persian', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
	['Hindi', '\u0915\u094d\u200d\u0937'],
	['a variant of a Chinese character', '\u8fbb\u{e0101}'],
])('%s keeps the characters that decide how it looks', (_name, text) => {
	expect(cleanLine(text, 100, (part) => expect(part).toBeUndefined())).toBe(text);
});

test('a clean text is clean: cleaning it again changes and drops nothing, wherever it was cut', () => {
	const parts = [...'a \u05e7\u0915\u06a9\u8fbb\u{1f469}\u{1f3fd}\u{1f3f4}1\u1820'];
	const unseen = [
		...'\u200b\u200c\u200d\u200f\u202e\u2066\u2069\ufe0f\u{e0101}\u180b',
		'\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}',
	];
	const text = fc.array(fc.constantFrom(...parts, ...unseen)).map((all) => all.join(''));
	fc.assert(
		fc.property(text, fc.integer({ min: 4, max: 30 }), (given, most) => {
			const once = cleanLine(given, most);
			if (once !== undefined) expect(cleanLine(once, most, (part) => expect(part).toBe(''))).toBe(once);
		}),
		{ numRuns: 3_000 },
	);
});
