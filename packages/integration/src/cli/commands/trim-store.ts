import type { DatabaseSync } from 'node:sqlite';
import { CommandError } from '../../errors.js';
import type { ProductReviews, ReviewData } from '../../parse/record.js';
import { sizeOfStore } from '../../store/open-database.js';
import { PRODUCT_KINDS } from '../../store/review-store.js';
import { byKind, findAccounts, inTransaction, type ProductValue } from '../../store/rows.js';
import { amount, count, nameProducts, plainLine, size } from '../../text/words.js';

/**
 * Deletes everything that a store keeps of products, of all accounts. It still knows what pages showed: a page is rendered
 * again only if the next build fetches something different. Html of a few other products, in the same blocks, is deleted with
 * them, and written again by the next build.
 * @throws CommandError if the store has none of the products.
 */
export function removeProducts(database: DatabaseSync, pids: readonly string[]): string[] {
	const prepareRemoval = (table: string) =>
		database.prepare(`DELETE FROM ${table} WHERE account = ? AND kind = ? AND pid = ?`);
	const contents = prepareRemoval('contents');
	const blocks = database.prepare(
		'DELETE FROM blocks WHERE block IN (SELECT block FROM entries WHERE account = ? AND pid = ?)',
	);
	const entryOf = byKind(prepareRemoval);
	const unknown = inTransaction(database, () => {
		const accounts = findAccounts(database);
		const remove = (pid: string) => {
			let changes = 0;
			for (const account of accounts) {
				blocks.run(account, pid);
				for (const kind of PRODUCT_KINDS) {
					for (const statement of [contents, entryOf(kind)])
						changes += Number(statement.run(account, kind, pid).changes);
				}
			}
			return changes > 0;
		};
		return pids.filter((pid) => !remove(pid));
	});
	if (unknown.length === pids.length) {
		throw new CommandError('PR_NOT_STORED', `Not in the store: ${nameProducts(unknown)}.`, LIST_THEM);
	}
	return [
		`Removed ${count(pids.length - unknown.length, 'product')}. The next build that needs them fetches them.\n`,
		...(unknown.length > 0 ? [`Not in the store: ${nameProducts(unknown)}.\n`] : []),
	];
}

/** What to do about a product that is not in the store. */
export const LIST_THEM = 'List what is stored with "astro-product-reviews store ls".';

/** Rewrites the file without the space of removed rows, and folds its log into it. */
export function* vacuumStore(database: DatabaseSync, file: string): Iterable<string> {
	const before = sizeOfStore(file);
	database.exec('VACUUM');
	const { busy } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
	yield `${size(before)} before, ${size(sizeOfStore(file))} after\n`;
	if (busy) yield 'Another process is reading the store. The log is folded in when it has ended.\n';
}

/** Reviews shown of a product; the rest are counted. */
const MOST_REVIEWS = 5;

const LINE = 76;

/** A stored record in a few printable lines for people. */
export function describeRecord(kind: ProductValue['kind'], record: unknown): string[] {
	try {
		return DESCRIBE[kind](record as never).map((line) => plainLine(line, LINE));
	} catch {
		return ['This version does not know the form of this record; --json prints it.'];
	}
}

const DESCRIBE = {
	reviews({ aggregate, reviews, schema }: ProductReviews) {
		const stated = count(schema?.reviews.length ?? 0, 'review');
		return [
			`${ratingText(aggregate)}; ${count(reviews.length, 'review')} to read, ${stated} in structured data`,
			...firstOf(reviews),
		];
	},
	'review-data'({ aggregate, reviews, media, questionCount }: ReviewData) {
		const others = `${count(questionCount, 'question')}, ${media.length} media`;
		return [`${ratingText(aggregate)}; ${count(reviews.length, 'review')}, ${others}`, ...firstOf(reviews)];
	},
	rating({ questionCount, ...rating }: { average: number; count: number; questionCount?: number }) {
		return [
			ratingText(rating) + (questionCount === undefined ? '' : `; ${count(questionCount, 'question')}`),
		];
	},
	mark: () => ['marked as changed at that time'],
};

function ratingText(rating: { readonly average: number; readonly count: number } | undefined): string {
	return rating && rating.count > 0 ? `${rating.average} of ${count(rating.count, 'rating')}` : 'no rating';
}

interface AnyReview {
	readonly rating: number | undefined;
	readonly title: string | undefined;
	readonly body: string | undefined;
	readonly author: string | undefined;
	readonly date: string | undefined;
}

function firstOf(reviews: readonly AnyReview[]): string[] {
	const lines = reviews.slice(0, MOST_REVIEWS).map(({ rating, title, body, author, date }) => {
		const parts = [`${rating ?? '-'}/5`, date, author && `${author}:`, title && `${title} |`, body];
		return parts.filter((part) => part !== undefined && part !== '').join(' ');
	});
	const more = reviews.length - MOST_REVIEWS;
	return more > 0 ? [...lines, `and ${amount(more)} more; --json prints them all`] : lines;
}

const ACCOUNT_LENGTH = 8;

/** An account for a column: the first letters of its name, which reveal nothing about the service. */
export function accountName(account: string): string {
	return plainLine(account, 60).slice(0, ACCOUNT_LENGTH).padEnd(ACCOUNT_LENGTH);
}
