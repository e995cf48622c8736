import { expect, test } from 'vitest';
import { withoutSecrets } from '../../../src/text/secret-config.js';

test.each<Readonly<Record<string, unknown>>>([
	{ url: 'redis://:password@10.0.0.1:6379' },
	{ url: 'redis://:pass/word@10.0.0.1:6379' },
	{ url: 'redis://user:pa/ss@wo/rd@10.0.0.1:6379/0' },
	{ base: 'https://storage.example/reviews?sig=canary' },
	{ cluster: [{ host: '10.0.0.1', password: 'canary' }] },
])('what may be a secret in %j is left out, and named', (config) => {
	expect(withoutSecrets(config)).toEqual({ config: {}, omitted: Object.keys(config) });
});

test.each<Readonly<Record<string, unknown>>>([
	{ base: '.cache/reviews', ttl: 60 },
	{ url: 'redis://10.0.0.1:6379/0' },
])('%j is kept', (config) => {
	expect(withoutSecrets(config)).toEqual({ config, omitted: [] });
});
