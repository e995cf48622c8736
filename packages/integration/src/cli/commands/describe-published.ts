import type { PageToRebuild, Published } from '../../publish/published.js';
import { plainLine } from '../../text/clean-text.js';
import { amount, count, nameProduct } from '../../text/words.js';

/** Lines of one kind; --json has all of them. */
const MOST_LISTED = 20;
const MOST_LETTERS = 200;

/**
 * Says what a publish did: its files, one a line, and then what is left to do.
 * @param seconds how long it took.
 */
export function* describePublished(
	{ files, rebuild, unchanged, notShown, failed }: Published,
	{ seconds, isDryRun }: { readonly seconds: number; readonly isDryRun: boolean },
): Iterable<string> {
	yield* listed(files, (file) => plainLine(file, MOST_LETTERS));
	const changed = isDryRun ? 'would change' : 'changed';
	const same = unchanged.length > 0 ? `, ${count(unchanged.length, 'product')} the same as before` : '';
	yield `${count(files.length, 'file')} ${changed} in ${seconds.toFixed(2)} s${same}\n`;
	if (notShown.length > 0) {
		yield `${notShown.length === 1 ? 'This product is' : 'These products are'} on no page, so check the id:\n`;
		yield* listed(notShown, nameProduct);
	}
	if (rebuild.length > 0) {
		yield `${rebuild.some(({ page }) => page === null) ? 'All pages need' : needs(rebuild.length)} a rebuild:\n`;
		yield* listed(rebuild, describeRebuild);
	}
	if (failed.length > 0) {
		yield `The service failed for ${count(failed.length, 'product')}, whose reviews were left as they are:\n`;
		yield* listed(failed, ({ pid, reason }) => `${nameProduct(pid)} ${plainLine(reason, MOST_LETTERS)}`);
	}
}

function describeRebuild({ page, reason }: PageToRebuild): string {
	return page === null ? reason : `${plainLine(page, MOST_LETTERS)}: ${reason}`;
}

function needs(pages: number): string {
	return pages === 1 ? 'One page needs' : `${amount(pages)} pages need`;
}

function* listed<Item>(items: readonly Item[], describe: (item: Item) => string): Iterable<string> {
	for (const item of items.slice(0, MOST_LISTED)) yield `  ${describe(item)}\n`;
	const more = items.length - MOST_LISTED;
	if (more > 0) yield `  and ${amount(more)} more: see --json\n`;
}
