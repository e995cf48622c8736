import { expect, test } from 'vitest';
import { cleanLine, cleanText, withoutSecrets } from '../../../src/text/words.js';

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
