import { fullAddress } from '../../pages/name-page.js';
import { findKey } from '../../publish/find-key.js';
import { tellIndexNow } from '../../publish/index-now.js';
import type { PublishTarget } from '../../publish/run-publish.js';
import { plainLine } from '../../text/clean-text.js';
import { amount, count, reasonOf } from '../../text/words.js';

const MOST_LETTERS = 200;

/** What the command `publish` tells IndexNow with. */
export interface TellContext {
	/** Other than the one that the protocol recommends. */
	readonly endpoint: string | undefined;
	readonly fetch: typeof fetch;
}

/**
 * Tells IndexNow exactly the pages that a publish changed.
 * @returns a sentence for people: what it was told, or why not. A failure is never one of the publish.
 */
export async function tellChangedPages(
	target: Omit<PublishTarget, 'told'> | undefined,
	context: TellContext,
): Promise<string> {
	const { folder, build, pages } = target ?? {};
	if (!folder || !build || !pages?.size) return 'IndexNow was not told anything: no page changed.';
	const { site, base } = build;
	if (site === undefined) return `${NOT_TOLD} the Astro configuration has no "site". Set it, and build once.`;
	try {
		const key = await findKey(folder);
		if (key === undefined) return `${NOT_TOLD} ${NO_KEY}`;
		const addresses = [...pages].map((page) => fullAddress(page, site)).toSorted();
		const keyLocation = fullAddress(`${base}/${key}.txt`.replace(/\/+/g, '/'), site);
		const { told, problem } = await tellIndexNow(addresses, { ...context, key, keyLocation });
		if (problem === undefined) return `IndexNow was told ${count(told, 'page')}.`;
		const start =
			told > 0 ? `IndexNow was told only ${amount(told)} of ${amount(addresses.length)} pages:` : NOT_TOLD;
		return `${start} ${plainLine(problem, MOST_LETTERS)}.`;
	} catch (error) {
		return `${NOT_TOLD} ${plainLine(reasonOf(error), MOST_LETTERS)}.`;
	}
}

const NOT_TOLD = 'IndexNow was not told what changed:';

const NO_KEY =
	'the output folder has no key. Add a file <key>.txt to the folder "public" with the key as its content, ' +
	'8 to 128 letters, digits and dashes, and build once.';
