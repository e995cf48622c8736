import type { DatabaseSync } from 'node:sqlite';
import { type CondensedRecord, restoreRecord } from '../parse/condense-record.js';
import type { ProductReviews } from '../parse/record.js';
import { openExistingFile } from '../store/open-existing-file.js';
import { createRowReader, type RowReader } from '../store/row-reader.js';
import { letOthersRun } from './let-others-run.js';
import { keyOf, type Recipe } from './recipe.js';
import { type Block, type BlockSettings, writeBlock } from './write-blocks.js';

/** What a product's blocks are written with, and from. */
export interface WritingTask {
	readonly recipes: readonly Recipe[];
	readonly settings: BlockSettings;
	/** Path of the store's file. */
	readonly storeFile: string;
	readonly account: string;
}

/** Blocks of one product by the key of their recipe. */
export type Blocks = Readonly<Record<string, Block>>;

/** Writes blocks in another thread than the one that renders the pages. */
export interface BlockWriter {
	/** From now on blocks are written so. */
	begin(task: WritingTask): void;
	/** Blocks of this product; `undefined` where none are to be written. */
	write(product: ProductReviews): Blocks | undefined;
	/**
	 * Blocks of those products that are in the store's file, with a moment after each in which other threads run.
	 * @throws Error where the file cannot be read.
	 */
	read(pids: readonly string[]): ReadonlyMap<string, Blocks>;
}

export function createBlockWriter(): BlockWriter {
	let task: WritingTask | undefined;
	// Keys are the same for all products.
	let recipes: [key: string, Recipe][] = [];
	let database: DatabaseSync | undefined;
	let reader: RowReader | undefined;

	const write = (product: ProductReviews, settings: BlockSettings): Blocks => {
		const blocks: Record<string, Block> = {};
		for (const [key, recipe] of recipes) {
			try {
				blocks[key] = writeBlock(product, recipe, settings);
			} catch {
				// The page that asks for it says what is wrong with its props.
			}
		}
		return blocks;
	};
	const readOne = (pid: string): Blocks | undefined => {
		if (!task) return undefined;
		// The page that asks for a damaged one finds it, and asks for it again.
		database ??= openExistingFile(task.storeFile);
		reader ??= createRowReader(database, task.account, () => {});
		const row = reader.find<CondensedRecord>('reviews', pid);
		return row && write(restoreRecord(row.value), task.settings);
	};
	return {
		write: (product) => task && write(product, task.settings),
		begin(given) {
			task = given;
			recipes = given.recipes.flatMap((recipe): typeof recipes => {
				const key = keyOf(recipe);
				return key === undefined ? [] : [[key, recipe]];
			});
		},
		read(pids) {
			const all = new Map<string, Blocks>();
			for (const pid of pids) {
				const blocks = readOne(pid);
				if (blocks) all.set(pid, blocks);
				letOthersRun();
			}
			return all;
		},
	};
}
