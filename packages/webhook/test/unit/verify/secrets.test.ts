import { messageOf, OTHER_SECRET, SECRET } from 'product-reviews-test-support/signing';
import { describe, expect, test } from 'vitest';
import {
	readRequired,
	readVerifiers,
	standardWebhooks,
	type VerifierVariables,
	WebhookConfigurationError,
} from '../../../src/index.js';
import { testHandler } from '../../support/handler.js';

const of = (bytes: number) => Buffer.alloc(bytes, 0xfb).toString('base64');
const KEY = 'canary-key-of-the-tests';

function errorOf(action: () => unknown): WebhookConfigurationError {
	try {
		action();
	} catch (error) {
		expect(error).toBeInstanceOf(WebhookConfigurationError);
		return error as WebhookConfigurationError;
	}
	throw new Error('It was to throw, and it did not.');
}

test.each([
	['24 bytes', `whsec_${of(24)}`],
	['64 bytes', `whsec_${of(64)}`],
	['no prefix', of(32)],
	['spaces around it', ` whsec_${of(32)}\n`],
])('a secret with %s is taken', async (_name, secret) => {
	const { statusOf } = testHandler({ verify: standardWebhooks(secret) });
	expect(await statusOf(messageOf({ secret: secret.trim() }))).toBe(202);
});

describe('a secret that cannot be used', () => {
	test.each([
		['has 23 bytes', `whsec_${of(23)}`],
		['has 65 bytes', `whsec_${of(65)}`],
		['is not base64', 'whsec_canary*secret'],
		['is not base64', `whsec_${of(32).replaceAll('/', '_').replaceAll('+', '-')}`],
		['is not base64', `whsec_${of(32).replace('=', '')}`],
		['is not base64', `whsec_${of(32)}====`],
		['is not base64', `whsec_${of(33)}=`],
		['is not base64', `whsec_=${of(32)}===`],
		// Unused bits that are set would be a second form of the same secret.
		['is not base64', `whsec_${of(32).replace('s=', 't=')}`],
		['is not base64', `whsec_${of(30).replace('+', ' ')}`],
		['is not base64', `WHSEC_${of(32)}`],
		['is not base64', `whsec_whsec_${of(32)}`],
		['is not base64', 'whpk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
		['is not base64', 'whsec_'],
		['is empty', ''],
		['is empty', '   '],
		['is empty', [null]],
		['is missing', undefined],
		['is missing', []],
		['is missing', { secret: SECRET }],
	])('%s', (problem, secret) => {
		expect(errorOf(() => standardWebhooks(secret as string))).toMatchObject({
			code: 'PR_WEBHOOK_SECRET',
			message: `The webhook secret ${problem}. Expected "whsec_" followed by the base64 of 24 to 64 bytes, as shown by the review service.`,
		});
	});

	test.each([
		['is not base64', 'whsec_canary-text'],
		['is empty', ' '],
		['has 23 bytes', of(23)],
	])('is named by its place, and never shown: %s', (problem, secret) => {
		const { message } = errorOf(() => standardWebhooks([SECRET, secret]));
		expect(message).toContain(`${problem} (number 2 of 2).`);
		expect(message).not.toContain('canary');
		expect(message).not.toContain(SECRET.slice(6));
	});
});

describe('secrets in the environment', () => {
	const NAMES: VerifierVariables = { secretEnv: 'S', keyEnv: 'K', keyHeader: 'x-key' };
	const read = (variables: Record<string, string>, names: Partial<VerifierVariables> = {}) =>
		readVerifiers({ ...NAMES, ...names }, (name) => variables[name]);

	test('are one or two, with spaces and line breaks between them, and a key beside them', async () => {
		const verify = read({ S: ` ${SECRET}\n\t${OTHER_SECRET} `, K: ` ${KEY} ` });
		const { statusOf } = testHandler({ verify });
		for (const secret of [SECRET, OTHER_SECRET]) expect(await statusOf(messageOf({ secret }))).toBe(202);
		const unsigned = { 'webhook-id': undefined, 'webhook-signature': undefined };
		expect(await statusOf(messageOf(), { headers: { ...unsigned, 'x-key': KEY } })).toBe(202);
		expect(read({ S: SECRET }, { keyHeader: undefined })).toHaveLength(1);
		expect(read({ K: KEY })).toMatchObject([{ headers: ['x-key'] }]);
	});

	test('that are missing are named by their variable, with what to do', () => {
		const none = { keyHeader: undefined };
		const remedy = 'Set it to the webhook secret that the review service shows (it begins with "whsec_").';
		for (const S of ['', ' \n'])
			expect(errorOf(() => read({ S }, { ...none, hint: 'Or so.' }))).toMatchObject({
				code: 'PR_WEBHOOK_SECRET',
				message: `The environment variable S is not set. ${remedy} Or so.`,
			});
		expect(errorOf(() => read({}, none)).message).toBe(`The environment variable S is not set. ${remedy}`);
		expect(errorOf(() => read({ S: SECRET, K: ' ' })).message).toBe('The environment variable K is not set.');
	});

	test.each(['A_9', '_', 'A'.repeat(100)])('in %s, which is a name', (name) => {
		expect(errorOf(() => readRequired(name, () => undefined)).message).toContain(
			`variable ${name} is not set.`,
		);
		expect(readRequired(name, () => ' x ')).toBe('x');
	});

	test.each([SECRET, 'canary', '9A', 'A'.repeat(101), '', 'A-CANARY', ' A'])(
		'in place of the name of their variable are not shown: %s',
		(name) => {
			const { message } = errorOf(() => readRequired(name, () => undefined));
			expect(message).toBe('The environment variable that an option names is not set.');
		},
	);
});
