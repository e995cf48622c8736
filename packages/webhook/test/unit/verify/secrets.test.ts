import { SECRET } from 'product-reviews-test-support/signing';
import { describe, expect, test } from 'vitest';
import { standardWebhooks, WebhookConfigurationError } from '../../../src/index.js';

const of = (bytes: number) => Buffer.alloc(bytes, 0xfb).toString('base64');

test.each([
	['24 bytes', `whsec_${of(24)}`],
	['64 bytes', `whsec_${of(64)}`],
	['no prefix', of(32)],
	['spaces around it', ` whsec_${of(32)}\n`],
])('a secret with %s is taken', (_name, secret) => {
	expect(() => standardWebhooks(secret)).not.toThrow();
});

describe('a secret that cannot be used', () => {
	test.each([
		['has 23 bytes', `whsec_${of(23)}`],
		['has 65 bytes', `whsec_${of(65)}`],
		['is not base64', 'whsec_canary*secret'],
		['is not base64', `whsec_${of(32).replaceAll('/', '_').replaceAll('+', '-')}`],
		['is not base64', `whsec_${of(32).replace('=', '')}`],
		['is not base64', `WHSEC_${of(32)}`],
		['is not base64', `whsec_whsec_${of(32)}`],
		['is not base64', 'whpk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
		['is empty', '   '],
		['is missing', undefined],
		['is missing', []],
		['is missing', { secret: SECRET }],
		['is empty', [null]],
	])('%s', (problem, secret) => {
		const message = messageOf(() => standardWebhooks(secret as string));
		expect(message).toContain(`The webhook secret ${problem}`);
	});

	test('is named by its place, and never shown', () => {
		const message = messageOf(() => standardWebhooks([SECRET, 'whsec_canary-text']));
		expect(message).toContain('number 2 of 2');
		expect(message).not.toContain('canary');
		expect(message).not.toContain(SECRET.slice(6));
	});
});

function messageOf(action: () => unknown): string {
	try {
		action();
	} catch (error) {
		expect(error).toBeInstanceOf(WebhookConfigurationError);
		return (error as Error).message;
	}
	throw new Error('It was to throw, and it did not.');
}
