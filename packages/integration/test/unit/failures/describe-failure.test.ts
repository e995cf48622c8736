import { expect, test } from 'vitest';
import { ReviewPayloadError } from '../../../src/errors.js';
import { describeFailure } from '../../../src/failures/describe-failure.js';

test.each<[string, unknown, string]>([
	['an error', new Error('503 after 5 tries.'), '503 after 5 tries.'],
	['an answer that cannot be read', new ReviewPayloadError('The html is odd.', 'Look.'), 'The html is odd.'],
	['control characters and line breaks', new Error('a\u001b[31m\nb\r\n c'), 'a[31m b c'],
	['an error without a message', new TypeError(''), 'TypeError'],
	['text', 'gone', 'gone'],
	['nothing', undefined, 'undefined'],
	['an empty text', '', 'unknown error'],
	['something long', new Error('x'.repeat(900)), `${'x'.repeat(299)}…`],
])('%s', (_what, error, expected) => {
	expect(describeFailure(error)).toBe(expected);
});
