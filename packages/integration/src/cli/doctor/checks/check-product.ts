import { describeDropped } from '../../../report/log.js';
import { ago, count, nameProduct } from '../../../text/words.js';
import { type Facts, type Finding, findingsOf, type ServiceFacts, type SiteFacts } from '../facts.js';

const { ok, warning, problem } = findingsOf('Product');

const LIST_IT = 'Check the id, and add it to the option "products".';

/** Why one product may have no reviews on its page. */
export function checkProduct(facts: Facts): Finding[] {
	const { product, site, service } = facts;
	if (product.pid === undefined || !site) return [];
	return [
		...(product.isGiven ? checkInList(facts, product.pid) : []),
		...checkAtService(facts, product.pid),
		...checkStored(facts, product.pid),
		...checkOnPages(facts, product.pid),
		...(service ? checkDropped(product.pid, service) : []),
		...(service ? checkPublishers(site, service) : []),
		...checkDisplay(site),
	];
}

function checkInList({ list }: Facts, pid: string): Finding[] {
	if (list.state !== 'read') return [];
	if (list.hasProduct) return [ok('In the list', `${nameProduct(pid)} is in the product list`)];
	if (list.hasProduct === undefined) {
		return [ok('In the list', `not among the first ${count(list.read, 'product')}; the rest was not read`)];
	}
	return [
		problem(
			'In the list',
			`${nameProduct(pid)} is not among the ${count(list.read, 'product')} of the list.`,
			{
				next: LIST_IT,
			},
		),
	];
}

function checkAtService({ service, product }: Facts, pid: string): Finding[] {
	const asked = service?.operations.crawlerReviews;
	if (asked?.state !== 'answered') return [];
	if (asked.count > 0) {
		return product.isGiven ? [ok('Reviews', `the service has ${count(asked.count, 'rating')}`)] : [];
	}
	return [
		warning('Reviews', `The service has no reviews of ${nameProduct(pid)}.`, {
			next: 'Check its id at the service, and whether its reviews are published there.',
		}),
	];
}

function checkStored({ product, build, service, list, now }: Facts, pid: string): Finding[] {
	const { stored, reported } = product;
	const reason = reported?.reason ?? 'unknown';
	if (reported?.status === 'failed' || reported?.status === 'unreadable') {
		return [
			problem('Last build', `The service failed for ${nameProduct(pid)}, and nothing is stored: ${reason}`, {
				code: reported.status === 'unreadable' ? 'PR_UNREADABLE_ANSWER' : 'PR_REVIEWS_UNAVAILABLE',
				next: 'Build again when the service answers.',
			}),
		];
	}
	if (stored && !stored.isWhole) {
		return [
			problem('Stored', `What is stored of ${nameProduct(pid)} is damaged.`, {
				code: 'PR_STORE_UNUSABLE',
				next: 'Build again: damaged rows are fetched again.',
			}),
		];
	}
	if (stored?.state === 'stale' || reported?.status === 'stale') {
		const since = stored ? ` of ${ago(now - stored.fetchedAt)}` : '';
		return [
			warning('Stored', `The service failed in the last build, so reviews${since} are shown: ${reason}`, {
				code: 'PR_SERVICE_FAILED',
				next: 'Build again when the service answers.',
			}),
		];
	}
	if (stored) {
		return [ok('Stored', `${count(stored.count, 'rating')}, fetched ${ago(now - stored.fetchedAt)}`)];
	}
	return build.report && service
		? [
				warning('Stored', `The last build did not fetch ${nameProduct(pid)}.`, {
					code: 'PR_NOT_STORED',
					next:
						list.state === 'read' && list.hasProduct === false
							? LIST_IT
							: 'Place a component with its id, and build.',
				}),
			]
		: [];
}

function checkOnPages({ product, build }: Facts, pid: string): Finding[] {
	const { reported } = product;
	// Where there was nothing to show, no page counts as showing it.
	if (!build.report || EMPTY.has(reported?.status)) return [];
	if (reported && reported.pages > 0) {
		return [ok('On pages', `on ${count(reported.pages, 'page')} of the last build`)];
	}
	return [
		problem('On pages', `No page of the last build shows ${nameProduct(pid)}.`, {
			next: `Place <ProductReviews pid="${pid}" /> on its page, and build.`,
		}),
	];
}

/** What became of products that have nothing to show. */
const EMPTY: ReadonlySet<string | undefined> = new Set(['failed', 'unreadable', 'missing']);

function checkDropped(pid: string, { dropped }: ServiceFacts): Finding[] {
	if (Object.keys(dropped).length === 0) return [];
	return [
		warning('Dropped parts', describeDropped([{ pid, parts: dropped }]), {
			code: 'PR_UNREADABLE_ANSWER',
			next: 'Correct these reviews at the service.',
		}),
	];
}

function checkPublishers({ options }: SiteFacts, { publishers }: ServiceFacts): Finding[] {
	if (!options.publishers) return [];
	const own = new Set(options.publishers.map(normalize));
	const others = publishers.filter((publisher) => publisher !== undefined && !own.has(normalize(publisher)));
	if (others.length === 0) return [];
	return [
		warning('Publishers', `${count(others.length, 'review')} of other publishers are not in the JSON-LD.`, {
			next: 'Change the option "publishers" if they are your own.',
		}),
	];
}

function normalize(publisher: string): string {
	return publisher.trim().toLowerCase();
}

function checkDisplay({ options }: SiteFacts): Finding[] {
	if (options.display !== 'hidden') return [];
	return [
		warning(
			'Display',
			'The option "display" is "hidden": visitors see reviews only in the service\'s widget.',
			{
				next: 'Set "display" to "visible", or leave it out, unless the site runs the widget.',
			},
		),
	];
}
