import { createClock } from 'product-reviews-test-support/clock';
import { expect, test } from 'vitest';
import { SHARED_FORMS } from '../../../src/cache/shared-forms.js';
import { readPayload } from '../../../src/parse/read-payload.js';
import { readReviewData } from '../../../src/parse/read-review-data.js';
import { readAnswer, writeAnswer } from '../../../src/shared-storage/stored-answer.js';
import { type Packed, pack } from '../../../src/store/pack.js';
import { answer } from '../../support/service/payload.js';
import { dataOf, wireData } from '../../support/service/wire-data.js';
import { fetched, startBuilder, withLocks } from '../../support/unit/builders.js';
import { record } from '../../support/unit/record.js';
import { createStorage } from '../../support/unit/storage.js';

const PIDS = Array.from({ length: 100 }, (_, index) => `p-${index}`);
const MINUTE = 60_000;

function startTwo(slots = 8) {
	const clock = createClock();
	const shared = createStorage();
	const driver = withLocks(shared, clock);
	const start = () => startBuilder(driver, clock, { slots });
	return { clock, shared, start, one: start(), other: start() };
}

/** Lets one builder fetch products, and write them to the storage. */
async function fill({ one, clock }: ReturnType<typeof startTwo>, pids: readonly string[], parts = {}) {
	const refreshed = pids.map((pid) => one.resource.refresh(pid));
	while (one.asked.length > 0 || refreshed.length > 0) {
		await clock.advance(0);
		for (const { pid, answer } of one.asked.splice(0)) answer(record({ pid, ...parts }));
		await clock.advance(0);
		if (one.asked.length === 0) break;
	}
	await Promise.all(refreshed);
	await clock.advance(10);
}

test('an empty builder gets 100 fresh products in one round trip, and asks for none of them', async () => {
	const two = startTwo(PIDS.length);
	const { shared, clock, other } = two;
	await fill(two, PIDS);
	clock.pass(MINUTE);
	shared.calls.length = 0;

	await other.resource.lookUp(PIDS);
	expect(shared.calls).toEqual(['getItems 201']);
	for (const pid of PIDS) {
		await other.resource.refresh(pid);
		expect(other.table.entry(pid)).toMatchObject({
			digest: two.one.table.entry(pid)?.digest,
			fetchedAt: two.one.table.entry(pid)?.fetchedAt,
			summary: two.one.table.entry(pid)?.summary,
		});
	}
	expect(await other.resource.load('p-1')).toEqual(record({ pid: 'p-1' }));
	expect(other.asked).toEqual([]);
	expect(other.adopted()).toBe(100);
	expect(other.outcomes.answers).toBe(0);
});

test('what is fresh in the store is not looked up', async () => {
	const { clock, other, shared } = startTwo();
	const { packed } = fetched(record());
	if (packed) other.table.put('p-1', packed, clock.now() - MINUTE);
	await other.resource.lookUp(['p-1']);
	await other.resource.refresh('p-1');
	expect(shared.calls).toEqual([]);
});

test('an answer that is too old for this builder is adopted with its age, and requested again', async () => {
	const two = startTwo();
	const { clock } = two;
	await fill(two, ['p-1']);
	clock.pass(90 * MINUTE);
	const other = two.start();
	await other.resource.lookUp(['p-1']);
	expect(clock.now() - (other.table.entry('p-1')?.fetchedAt ?? 0)).toBeGreaterThanOrEqual(90 * MINUTE);
	void other.resource.refresh('p-1');
	await clock.advance(10);
	expect(other.asked.map(({ pid }) => pid)).toEqual(['p-1']);
	// The service fails, so that it is what pages show.
	other.asked[0]?.fail();
	await clock.advance(10);
	expect(await other.resource.load('p-1')).toEqual(record({ pid: 'p-1' }));
});

test('a mark of a builder makes what was fetched before it outdated', async () => {
	const two = startTwo();
	const { clock, other } = two;
	await fill(two, ['p-1']);
	clock.pass(MINUTE);
	other.revalidation.mark(['p-1']);
	await other.resource.lookUp(['p-1']);
	void other.resource.refresh('p-1');
	await clock.advance(10);
	expect(other.asked.length).toBe(1);
});

test('an event that came after an answer makes it outdated, and the next answer is fresh again', async () => {
	const two = startTwo();
	const { clock, other, start } = two;
	await fill(two, ['p-1']);
	clock.pass(MINUTE);
	const told = two.one.storage.outdate(['p-1']);
	await clock.advance(1_000);
	expect(await told).toBe(true);

	await other.resource.lookUp(['p-1']);
	void other.resource.refresh('p-1');
	await clock.advance(10);
	expect(other.asked.length).toBe(1);
	other.asked[0]?.answer(record({ heading: 'Since the event' }));
	await clock.advance(10);

	const third = start();
	await third.resource.lookUp(['p-1']);
	await third.resource.refresh('p-1');
	expect(third.asked).toEqual([]);
	expect((await third.resource.load('p-1'))?.heading).toBe('Since the event');
});

test('an answer that was requested before an event does not hide it', async () => {
	const two = startTwo();
	const { clock, one, other, start } = two;
	void one.resource.refresh('p-1');
	await clock.advance(10);
	const told = other.storage.outdate(['p-1']);
	await clock.advance(1_000);
	await told;
	one.asked[0]?.answer(record({ heading: 'Before the event' }));
	await clock.advance(10);

	const third = start();
	void third.resource.refresh('p-1');
	await clock.advance(10);
	expect(third.asked.length).toBe(1);
});

test('two builders at once request each product once, and each requests some', async () => {
	const { clock, one, other } = startTwo(4);
	const pids = PIDS.slice(0, 40);
	const both = [one, other].flatMap(({ resource }) => pids.map((pid) => resource.refresh(pid)));
	const requests = { one: 0, other: 0 };
	for (let round = 0; round < 60; round++) {
		for (const [name, { asked }] of Object.entries({ one, other })) {
			for (const { pid, answer } of asked.splice(0)) {
				requests[name as 'one' | 'other'] += 1;
				answer(record({ pid }));
			}
		}
		await clock.advance(50);
	}
	await Promise.all(both);
	expect(requests.one + requests.other).toBe(40);
	expect(Math.min(requests.one, requests.other)).toBeGreaterThanOrEqual(10);
	expect(one.adopted() + other.adopted()).toBe(40);
});

test('a builder that dies holds up another one for no longer than ten seconds', async () => {
	const { clock, one, other } = startTwo();
	void one.resource.refresh('p-1');
	await clock.advance(10);
	expect(one.asked.length).toBe(1);
	void other.resource.refresh('p-1');
	await clock.advance(9_000);
	expect(other.asked).toEqual([]);
	await clock.advance(1_200);
	expect(other.asked.length).toBe(1);
});

test('a product whose request failed is left to the other builder at once', async () => {
	const { clock, one, other } = startTwo();
	void one.resource.refresh('p-1').catch(() => {});
	await clock.advance(10);
	void other.resource.refresh('p-1');
	await clock.advance(10);
	one.asked[0]?.fail();
	await clock.advance(200);
	expect(other.asked.length).toBe(1);
});

test('a page does not wait behind products that nobody shows', async () => {
	const { clock, one } = startTwo(2);
	for (const pid of PIDS) void one.resource.refresh(pid);
	await clock.advance(10);
	expect(one.asked.length).toBe(2);
	const page = one.resource.load('p-90');
	await clock.advance(10);
	expect(one.asked.map(({ pid }) => pid)).toEqual(['p-0', 'p-1', 'p-90']);
	one.asked[2]?.answer(record({ pid: 'p-90' }));
	expect((await page)?.pid).toBe('p-90');
	await clock.advance(10);
	// The limit holds again.
	expect(one.asked.length).toBe(3);
});

test('what comes from others is shown when it is known whether it moved', async () => {
	const two = startTwo();
	const { clock, shared } = two;
	await fill(two, ['p-1']);
	const { promise: checked, resolve } = Promise.withResolvers<void>();
	const third = startBuilder(withLocks(shared, clock), clock, { checked });
	let isShown = false;
	void third.resource.load('p-1').then(() => {
		isShown = true;
	});
	await clock.advance(1_000);
	expect([isShown, third.adopted()]).toEqual([false, 1]);
	resolve();
	await clock.advance(10);
	expect([isShown, third.asked.length]).toEqual([true, 0]);
});

test('an answer without reviews does not replace reviews: whether they are lost is decided by what the service sends', async () => {
	const two = startTwo();
	const { clock, other } = two;
	const { packed } = fetched(record());
	if (packed) other.table.put('p-1', packed, clock.now() - 90 * MINUTE);
	await fill(two, ['p-1'], { aggregate: undefined, reviews: [], schema: undefined });
	await other.resource.lookUp(['p-1']);
	void other.resource.refresh('p-1');
	await clock.advance(10);
	expect(other.asked.length).toBe(1);
});

test.each<'hangs' | Error>(['hangs', new Error('refused')])(
	'a storage that fails (%s) costs no product',
	async (behaves) => {
		const { clock, shared, one } = startTwo(PIDS.length);
		shared.behaves = behaves;
		const looked = one.resource.lookUp(PIDS);
		await clock.advance(200);
		await looked;
		const done = PIDS.map((pid) => one.resource.refresh(pid));
		await clock.advance(300);
		expect(one.asked.length).toBe(100);
		for (const { pid, answer } of one.asked.splice(0)) answer(record({ pid }));
		await clock.advance(10);
		await Promise.all(done);
		expect(one.warnings.length).toBe(1);

		const end = one.writeBack.flush(5_000);
		await clock.advance(5_100);
		await end;
		expect(one.writeBack.unwritten).toBe(100);
		expect(one.warnings.length).toBe(1);
	},
);

test('what a storage refuses for a moment is written before the build ends', async () => {
	const two = startTwo();
	const { clock, shared, one } = two;
	shared.behaves = new Error('refused');
	await fill(two, ['p-1', 'p-2']);
	shared.behaves = 'well';
	const end = one.writeBack.flush(5_000);
	await clock.advance(5_100);
	await end;
	expect(one.writeBack).toMatchObject({ written: 2, unwritten: 0 });
});

test('a shared answer becomes the same value as that of the service, so that no page changes', () => {
	const sent = readPayload(answer({}), () => {});
	const write = { kind: 'reviews', pid: 'p-1', value: sent, fetchedAt: 1, changedAt: 1, stamp: {} } as const;
	const text = writeAnswer('a-1', write);
	const shared = readAnswer(text, { account: 'a-1', kind: 'reviews', pid: 'p-1' }, 2);
	expect(shared && SHARED_FORMS.reviews.toPacked(shared.value).digest).toBe(fetched(sent).packed?.digest);
});

test('the same for review data', async () => {
	const sent = readReviewData(await dataOf(wireData()), () => {});
	const write = {
		kind: 'review-data',
		pid: sent.pid,
		value: sent,
		fetchedAt: 1,
		changedAt: 1,
		stamp: {},
	} as const;
	const shared = readAnswer(
		writeAnswer('a-1', write),
		{ account: 'a-1', kind: 'review-data', pid: sent.pid },
		2,
	);
	const { aggregate, questionCount } = sent;
	const packed = shared && SHARED_FORMS['review-data'].toPacked(shared.value);
	expect(packed).toMatchObject(pick(pack(sent, { ...aggregate, questionCount })));
});

function pick({ digest, summary }: Packed) {
	return { digest, summary };
}
