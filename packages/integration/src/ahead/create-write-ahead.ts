import type { ProductOrder } from '../build/open-product-list.js';
import type { Status } from '../outcomes/create-outcomes.js';
import type { BlockService, Fetched, ReviewService } from '../service/review-service.js';
import type { Blocks, WritingTask } from './block-writer.js';
import { keyOf, type Recipe } from './recipe.js';
import type { Block } from './write-blocks.js';

/** What the blocks of a build's pages are written ahead with. */
export interface WriteAheadContext extends Omit<WritingTask, 'recipes'> {
	readonly service: Pick<ReviewService, 'fetch'> & BlockService;
	/** The product list, as far as it was read: pages mostly come in its order. */
	readonly order: Pick<ProductOrder, 'size' | 'values'>;
}

/** Has another thread write the blocks of pages that are rendered next. */
export interface WriteAhead {
	/** The block of a product that a page wants now; `undefined` where the page has to write it itself. */
	take(pid: string, recipe: Recipe): Block | undefined;
	/** As {@link ReviewService.fetch}, for reviews. Where a page wants the product soon, its blocks are written at once. */
	fetch(pid: string, validators: string | undefined): Promise<Omit<Fetched, 'blocks'>>;
}

/** Products whose blocks are at hand or asked for, ahead of the pages. */
const WINDOW = 128;
/** Products that are asked for together. */
const BATCH = 16;
/** Products that the other thread is asked for at once: more would come too late when it has other work. */
const MOST_ASKED = 48;
/** Pages that want the same before it is written ahead: for a site of a few pages no thread is started. */
const SAMPLE = 12;
/** Different recipes that are written ahead. */
const MOST_RECIPES = 6;
/** Ways to write blocks that are looked at: a page may bring one of its own, such as a heading with the product's name. */
const MOST_WANTED = 100;
/** Products from the page to the last one that was asked for, of which the blocks are written when they come. */
const NEAR = 640;
/** Products whose blocks are held at the most, those among them that came too late: some megabytes. */
const MOST_HELD = 768;
/** Products that no page wanted, more than were wanted, after which it is given up: pages come in another order. */
const MOST_WASTED = 256;

/**
 * @param statusOf says of a product what the store has of it by now.
 */
export function createWriteAhead(
	{ service, order, ...task }: WriteAheadContext,
	statusOf: (pid: string) => Status | undefined,
): WriteAhead {
	const wanted = new Map<string, number>();
	const learned = new Map<string, Recipe>();
	const held = new Map<string, Blocks>();
	const upcoming = order.values();
	let passed = 0;
	let position = 0;
	let last: string | undefined;
	let asked = 0;
	let wasted = 0;
	let fetching = 0;
	let isOff = false;

	// Pages do not keep up with what is fetched: their blocks come first.
	const isFarAhead = () => order.size - position >= NEAR;
	const isStored = (pid: string) => {
		const status = statusOf(pid);
		// While it fetches what pages wait for, the other thread has enough to do.
		return status === 'unchanged' || (status === 'fetched' && (fetching === 0 || isFarAhead()));
	};
	const stop = () => {
		isOff = true;
		held.clear();
	};
	const learn = (key: string, recipe: Recipe) => {
		const count = (wanted.get(key) ?? 0) + 1;
		if (count > 1 || wanted.size < MOST_WANTED) wanted.set(key, count);
		if (count < SAMPLE || learned.size >= MOST_RECIPES) return;
		learned.set(key, recipe);
		service.beginBlocks({ ...task, recipes: [...learned.values()] });
	};
	const ask = async (pids: readonly string[]) => {
		asked += pids.length;
		try {
			const written = await service.writeBlocks(pids);
			for (const [pid, blocks] of written) if (!isOff) held.set(pid, blocks);
		} catch {
			stop();
		}
		asked -= pids.length;
		askAhead();
	};
	const askAhead = () => {
		if (learned.size === 0 || isOff || asked > MOST_ASKED - BATCH) return;
		// The end of a set that still grows is not its end.
		const end = Math.min(order.size, position + WINDOW);
		if (end - Math.max(passed, position) < BATCH) return;
		const batch: string[] = [];
		for (; passed < end && batch.length < BATCH; passed++) {
			const pid = upcoming.next().value as string;
			// What pages have passed meanwhile comes too late.
			if (passed >= position && !held.has(pid) && isStored(pid)) batch.push(pid);
		}
		if (batch.length > 0) void ask(batch);
	};
	const arrive = (pid: string) => {
		if (pid === last) return;
		if (last !== undefined) held.delete(last);
		last = pid;
		position += 1;
		// What was asked for later than a page wanted it lies around, too.
		while (held.size > MOST_HELD) {
			held.delete(held.keys().next().value as string);
			wasted += 1;
		}
		if (wasted > MOST_WASTED) stop();
		else askAhead();
	};

	return {
		take(pid, recipe) {
			if (isOff) return undefined;
			arrive(pid);
			const key = keyOf(recipe);
			if (key === undefined) return undefined;
			if (!learned.has(key)) learn(key, recipe);
			const block = held.get(pid)?.[key];
			if (block) wasted = Math.max(0, wasted - 1);
			return block;
		},
		async fetch(pid, validators) {
			const wantsBlocks = !isOff && learned.size > 0 && !isFarAhead();
			fetching += 1;
			try {
				const { blocks, ...fetched } = await service.fetch('reviews', pid, validators, wantsBlocks);
				// What was written of an older answer is not to be shown beside this one.
				if (fetched.packed) held.delete(pid);
				// That a product has no reviews any more may not be believed.
				if (blocks && !isOff && !fetched.isEmpty) held.set(pid, blocks);
				return fetched;
			} finally {
				fetching -= 1;
			}
		},
	};
}
