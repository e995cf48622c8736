import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { resolveConnection } from '../../../src/options/connection.js';
import { importDriver } from '../../../src/project/open-shared.js';
import { openProductList } from '../../../src/project/product-list.js';
import { openProvider } from '../../../src/providers/load-provider.js';
import { messageOf } from '../../support/unit/error.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const never = () => new Promise<never>(() => {});

beforeEach(() => {
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
	onTestFinished(() => void vi.useRealTimers());
});

/** The message of something that fails when a time has passed, and not before. */
async function messageAfter(milliseconds: number, run: () => Promise<unknown>): Promise<string> {
	let isOver = false;
	const message = messageOf(run).finally(() => {
		isOver = true;
	});
	await vi.advanceTimersByTimeAsync(milliseconds - 1);
	expect(isOver).toBe(false);
	await vi.advanceTimersByTimeAsync(1);
	return message;
}

test('a module that never finishes loading is given up after 30 seconds', async () => {
	const root = createFolder();
	const file = join(root, 'silent.mjs');
	const code = 'await new Promise(() => {}); export default () => {};';
	writeFileSync(file, code);
	const provider = await messageAfter(30 * SECOND, () =>
		openProvider({ entrypoint: './silent.mjs' }, root, {}, { code, file }),
	);
	expect(provider).toContain(
		'ProductReviewsConfigurationError: The module "./silent.mjs" of the option "provider" has not finished loading after 30 seconds.',
	);
	expect(provider).toContain('"await" outside of functions');
	const driver = await messageAfter(30 * SECOND, () => importDriver(file, root));
	expect(driver).toContain(
		`The driver "${file}" of the option "storage" has not finished loading after 30 seconds.`,
	);
});

test('a function "token" has 30 seconds; while it is late, nobody else waits for it, and what it gives then is not used', async () => {
	const calls: PromiseWithResolvers<string>[] = [];
	const ask = () => {
		const call = Promise.withResolvers<string>();
		calls.push(call);
		return call.promise;
	};
	const { token } = resolveConnection({ baseUrl: 'https://reviews.example', wsid: 'W-1', token: ask }, {});
	const late = 'The function of the option "token" did not give a token within 30 seconds.';
	expect(await messageAfter(30 * SECOND, async () => token?.())).toContain(late);
	expect(await messageOf(async () => token?.())).toContain(late);
	expect(calls).toHaveLength(1);
	calls[0]?.resolve('old');
	await vi.advanceTimersByTimeAsync(0);
	const next = token?.();
	calls[1]?.resolve('new');
	expect(await next).toBe('new');
	expect(vi.getTimerCount()).toBe(0);
});

async function read(source: Parameters<typeof openProductList>[0], warnings: string[] = []) {
	const pids: string[] = [];
	const list = openProductList(source, undefined, (line) => warnings.push(line));
	for await (const pid of list.products) pids.push(pid);
	return pids;
}

const ids = {
	async *one() {
		yield 'p-1';
		await never();
	},
	*promised() {
		yield* ['p-1', never()];
	},
};

test.each([
	['a function that never answers', never, 'no product'],
	['a list that never gives the next product', ids.one, 'no further product after 1'],
	['the same of an iterable', () => ids.promised() as Iterable<string>, 'no further product after 1'],
])('%s is said after 30 seconds, and given up after 5 minutes', async (_what, source, given) => {
	const warnings: string[] = [];
	const message = await messageAfter(5 * MINUTE, () => read(source as () => Promise<never>, warnings));
	expect(message).toContain(
		`ProductReviewsConfigurationError: The product list was given up: it gave ${given} for 5 minutes.`,
	);
	expect(warnings).toEqual([
		`The product list has given ${given} for 30 seconds. It is given up after 5 minutes. The list is the option "products" of productReviews() in the Astro configuration. [PR_PRODUCT_LIST_UNREADABLE]`,
	]);
});

test('a list may take hours, as long as it gives a product now and then; its silence is said once', async () => {
	const warnings: string[] = [];
	const pids = read(async function* () {
		for (let index = 0; index < 30; index++) {
			await new Promise((resolve) => setTimeout(resolve, 4 * MINUTE));
			yield `p-${index}`;
		}
	}, warnings);
	await vi.advanceTimersByTimeAsync(120 * MINUTE);
	expect(await pids).toHaveLength(30);
	expect(warnings).toHaveLength(1);
	expect(vi.getTimerCount()).toBe(0);
});

test('a list that is stopped leaves no timer behind', async () => {
	const list = openProductList(ids.one());
	await list.products.next();
	const next = list.products.next();
	list.stop();
	expect((await next).done).toBe(true);
	expect(vi.getTimerCount()).toBe(0);
});
