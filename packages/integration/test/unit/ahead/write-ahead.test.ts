import { settled } from 'product-reviews-test-support/settled';
import { describe, expect, test } from 'vitest';
import type { Blocks, WritingTask } from '../../../src/ahead/block-writer.js';
import { createWriteAhead } from '../../../src/ahead/create-write-ahead.js';
import { keyOf, type Recipe } from '../../../src/ahead/recipe.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import type { Status } from '../../../src/outcomes/create-outcomes.js';

const REVIEWS: Recipe = { component: 'ProductReviews', props: {}, locale: 'en' };
const SCHEMA: Recipe = { component: 'ReviewSchema' };
const { labels } = parseOptions({});
const ANSWER = {
	packed: { digest: 'd', codec: 1, bytes: new Uint8Array(), summary: undefined },
	isEmpty: false,
	dropped: {},
	validators: undefined,
};

const idsTo = (count: number) => Array.from({ length: count }, (_, index) => `p-${index}`);

function createSetup(pids = idsTo(1_000), statusOf: (pid: string) => Status | undefined = () => 'unchanged') {
	const order = new Set(pids);
	const asked: string[] = [];
	/** Products that are fetched, until the test answers. */
	const fetched: { pid: string; wantsBlocks: boolean; answer: () => void; fail: () => void }[] = [];
	const tasks: WritingTask[] = [];
	let isBroken = false;
	const ahead = createWriteAhead(
		{
			service: {
				fetch: (_resource, pid, _validators, wantsBlocks = false) =>
					new Promise((resolve, reject) => {
						const blocks = wantsBlocks ? blocksOf(pid, tasks.at(-1)?.recipes ?? []) : undefined;
						const answer = () => resolve({ ...ANSWER, blocks });
						fetched.push({ pid, wantsBlocks, answer, fail: () => reject(new Error('It failed.')) });
					}),
				beginBlocks: (task) => tasks.push(task),
				async writeBlocks(wanted) {
					asked.push(...wanted);
					if (isBroken) throw new Error('The file is gone.');
					return new Map(wanted.map((pid) => [pid, blocksOf(pid, tasks.at(-1)?.recipes ?? [])]));
				},
			},
			order,
			settings: { display: 'visible', labels },
			storeFile: '/store.db',
			account: 'account',
		},
		statusOf,
	);
	/** Renders pages of these products; each has both components. @returns those that were written ahead. */
	const render = async (wanted: readonly string[], recipes = [SCHEMA, REVIEWS]) => {
		const hits: string[] = [];
		for (const pid of wanted) {
			const blocks = recipes.map((recipe) => ahead.take(pid, recipe));
			if (blocks.every(Boolean)) hits.push(pid);
			for (const block of blocks) if (block) expect(block).toMatchObject({ html: pid });
			await settled();
		}
		return hits;
	};
	return {
		ahead,
		asked,
		fetched,
		tasks,
		order,
		render,
		breakDown() {
			isBroken = true;
		},
	};
}

function blocksOf(pid: string, recipes: readonly Recipe[]): Blocks {
	return Object.fromEntries(recipes.map((recipe) => [keyOf(recipe), { html: pid, placement: undefined }]));
}

test('when pages have wanted the same for a while, those that follow find it written', async () => {
	const { render, tasks, asked } = createSetup();
	const hits = await render(idsTo(1_000));
	expect(tasks.at(-1)?.recipes).toEqual([SCHEMA, REVIEWS]);
	expect(hits.length).toBeGreaterThan(950);
	expect(new Set(asked).size).toBe(asked.length);
});

test('never far ahead: what is written and not used is little', async () => {
	const { render, asked } = createSetup();
	await render(idsTo(50));
	expect(asked.length).toBeGreaterThan(30);
	expect(asked.length).toBeLessThan(200);
});

test('a site of a few pages starts nothing', async () => {
	const { render, tasks, asked } = createSetup(idsTo(11));
	await render(idsTo(11));
	expect(tasks).toEqual([]);
	expect(asked).toEqual([]);
});

test('a product of which it is not known that it is current is not asked for', async () => {
	const { render, asked } = createSetup(idsTo(200), (pid) => (pid.endsWith('7') ? undefined : 'unchanged'));
	const hits = await render(idsTo(200));
	expect(asked.some((pid) => pid.endsWith('7'))).toBe(false);
	expect(hits.length).toBeGreaterThan(100);
});

test('a list that is still read is followed to its end', async () => {
	const { render, order } = createSetup(idsTo(40));
	const first = await render(idsTo(40));
	for (const pid of idsTo(400)) order.add(pid);
	const rest = await render(idsTo(400).slice(40));
	expect(first.length + rest.length).toBeGreaterThan(330);
});

describe('while products are fetched', () => {
	/** Fetches products, ten at a time and a slow one beside them, and renders each page when its product is there. */
	async function renderAsFetched({ ahead, fetched, render }: ReturnType<typeof createSetup>, pids: string[]) {
		const hits: string[] = [];
		const slow = ahead.fetch('slow', undefined);
		const last = fetched.pop();
		for (let at = 0; at < pids.length; at += 10) {
			const some = pids.slice(at, at + 10);
			const answers = some.map((pid) => ahead.fetch(pid, undefined));
			for (const { answer } of fetched.splice(0)) answer();
			for (const answer of await Promise.all(answers)) expect(answer).not.toHaveProperty('blocks');
			hits.push(...(await render(some)));
		}
		last?.answer();
		await slow;
		return hits;
	}

	test('their blocks come with them, when pages have wanted the same for a while', async () => {
		const setup = createSetup(idsTo(500), () => 'fetched');
		const hits = await renderAsFetched(setup, idsTo(500));
		expect(hits.length).toBeGreaterThan(470);
		expect(setup.asked).toEqual([]);
	});

	test('of those far ahead of the pages no blocks are written, and they are asked for when pages come near', async () => {
		const setup = createSetup(idsTo(2_000), () => 'fetched');
		await setup.render(idsTo(20));
		const answer = setup.ahead.fetch('p-1999', undefined);
		expect(setup.fetched[0]?.wantsBlocks).toBe(false);
		const hits = await setup.render(idsTo(200).slice(20));
		expect(hits.length).toBeGreaterThan(150);
		setup.fetched[0]?.answer();
		await answer;
	});

	test('what is not far ahead is not asked for: the other thread is busy', async () => {
		const setup = createSetup(idsTo(400), () => 'fetched');
		const answer = setup.ahead.fetch('p-399', undefined);
		await setup.render(idsTo(200));
		expect(setup.asked).toEqual([]);
		setup.fetched[0]?.answer();
		await answer;
		await setup.render(idsTo(400).slice(200));
		expect(setup.asked.length).toBeGreaterThan(50);
	});

	test('blocks of an older answer are not shown beside a newer one', async () => {
		const setup = createSetup(idsTo(100), () => 'fetched');
		await setup.render(idsTo(20));
		const fetchOne = async () => {
			const answer = setup.ahead.fetch('p-99', undefined);
			setup.fetched.pop()?.answer();
			await answer;
		};
		await fetchOne();
		expect(setup.ahead.take('p-99', SCHEMA)).toMatchObject({ html: 'p-99' });
		for (const pid of idsTo(2_000)) setup.order.add(`${pid}-more`);
		await fetchOne();
		expect(setup.ahead.take('p-99', SCHEMA)).toBeUndefined();
	});

	test('a request that fails is counted no more', async () => {
		const setup = createSetup(idsTo(400), () => 'fetched');
		const failing = setup.ahead.fetch('p-399', undefined);
		setup.fetched[0]?.fail();
		await expect(failing).rejects.toThrow('It failed.');
		expect((await setup.render(idsTo(200))).length).toBeGreaterThan(150);
	});
});

describe('it is given up', () => {
	test('where pages come in another order than the list', async () => {
		const { render, asked } = createSetup(idsTo(3_000));
		await render(idsTo(3_000).reverse());
		expect(asked.length).toBeLessThan(1_200);
	});

	test('where the other thread cannot write', async () => {
		const { render, asked, breakDown } = createSetup();
		breakDown();
		expect(await render(idsTo(500))).toEqual([]);
		expect(asked.length).toBeLessThan(100);
	});
});

test('a recipe of its own on each page is not followed', async () => {
	const { tasks, ahead } = createSetup();
	for (const pid of idsTo(500)) {
		ahead.take(pid, { component: 'ProductReviews', props: { heading: `Reviews of ${pid}` }, locale: 'en' });
	}
	expect(tasks).toEqual([]);
});

test('of many recipes that pages share a few are followed', async () => {
	const { tasks, ahead } = createSetup();
	for (const pid of idsTo(500)) {
		ahead.take(pid, { component: 'ReviewSchema', limit: Number(pid.slice(2)) % 20 });
	}
	expect(tasks.at(-1)?.recipes.length).toBe(6);
});
