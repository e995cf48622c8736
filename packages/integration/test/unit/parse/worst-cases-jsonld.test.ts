import { describe, expect, test } from 'vitest';
import { SCHEMA, schemaScript } from '../../support/service/payload.js';
import { isReadInTime, nested, numbered } from '../../support/unit/worst-case.js';

const scriptOf = (parts: string) => schemaScript(`{"@type":"Product","name":"K",${parts}}`);

const READ = true;
const REFUSED = false;

// Where only the structured data cannot be read, the html stands in for it.
describe('structured data', () => {
	const [review] = SCHEMA.review;
	test.each<[string, string, boolean]>([
		['a million lists in each other', scriptOf(`"x":${nested('[', ']', 1_000_000)}`), READ],
		[
			'a million lists in each other, as the reviews',
			scriptOf(`"review":${nested('[', ']', 1_000_000)}`),
			READ,
		],
		['a million lists that do not end', scriptOf(`"x":${'['.repeat(1_000_000)}`), READ],
		[
			'100,000 objects in each other',
			scriptOf(`"x":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
			READ,
		],
		[
			'100,000 __proto__ in each other',
			scriptOf(`"x":${'{"__proto__":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
			READ,
		],
		['100,000 keys', scriptOf(numbered(100_000, (i) => `${i ? ',' : ''}"k${i}":1`)), READ],
		['a million reviews that are none', scriptOf(`"review":[${'1,'.repeat(1_000_000)}1]`), READ],
		[
			'10,000 reviews',
			schemaScript({ ...SCHEMA, review: Array.from({ length: 10_000 }, () => review) }),
			READ,
		],
		[
			'a rating of a million digits',
			scriptOf(`"review":[{"reviewRating":{"ratingValue":"${'1'.repeat(1_000_000)}"}}]`),
			READ,
		],
		[
			'a date of a million digits',
			scriptOf(`"review":[{"datePublished":"2026-01-01T00:00:00.${'1'.repeat(1_000_000)}"}]`),
			READ,
		],
		['100,000 scripts', `${'<script>x</script>'.repeat(100_000)}${schemaScript(SCHEMA)}`, READ],
		['100,000 attributes of a script', `<script ${numbered(100_000, (i) => `a${i} `)}></script>`, REFUSED],
		['a million less-than signs', schemaScript('<'.repeat(1_000_000)), READ],
		['10 MB of text', scriptOf(`"x":"${'x'.repeat(10_000_000)}"`), REFUSED],
	])('%s', (_what, jsonld, expected) => {
		expect(isReadInTime({ jsonld })).toBe(expected);
	});
});
