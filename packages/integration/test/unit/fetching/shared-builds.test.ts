import { createFolder } from 'product-reviews-test-support/folder';
import { expect, onTestFinished, test, vi } from 'vitest';
import { pack } from '../../../src/cache/values.js';
import { SHARED_FORMS } from '../../../src/fetching/cache-sharing.js';
import { readPayload } from '../../../src/parse/read-payload.js';
import { readReviewData } from '../../../src/parse/read-review-data.js';
import { readAnswer, writeAnswer } from '../../../src/shared-storage/stored-answer.js';
import { answer } from '../../support/service/payload.js';
import { dataOf, wireData } from '../../support/service/wire-data.js';
import { createCountingService, createSharingSite, fetched } from '../../support/unit/sharing-site.js';

const HOUR = 3_600_000;

// What others fetched, or know to have changed, is shown by the tests of `astro-product-reviews update --cache-only`.
test('what others fetched longer ago than "maxAge" is requested again, and shared again', async () => {
	const service = createCountingService();
	const base = createFolder();
	const start = () => createSharingSite(base, service);
	expect(await start().refresh(['p-1', 'p-2'])).toEqual(['p-1', 'p-2']);
	const { now } = Date;
	const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 0.5 * HOUR);
	onTestFinished(() => clock.mockRestore());
	expect(await start().refresh(['p-1'])).toEqual([]);
	clock.mockImplementation(() => now() + 1.5 * HOUR);
	expect(await start().refresh(['p-1'])).toEqual(['p-1']);
	expect(await start().refresh(['p-1', 'p-2'])).toEqual(['p-2']);
});

test('shared answers become the same value as those of the service, so that no page changes', async () => {
	const share = (kind: keyof typeof SHARED_FORMS, pid: string, value: object) => {
		const given = { value: value as never, fetchedAt: 1, changedAt: 1, lastChange: '' };
		const text = writeAnswer({ account: 'a-1', kind, pid }, given);
		const shared = readAnswer(text, { account: 'a-1', kind, pid }, 2);
		return shared && SHARED_FORMS[kind].toPacked(shared.value as never);
	};
	const reviews = readPayload(answer());
	expect(share('reviews', 'p-1', reviews)?.digest).toBe(fetched(reviews).packed?.digest);
	const data = readReviewData(await dataOf(wireData()));
	const { digest, summary } = pack(data, { ...data.aggregate, questionCount: data.questionCount });
	expect(share('review-data', data.pid, data)).toMatchObject({ digest, summary });
});
