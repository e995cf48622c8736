import { ago, amount, count } from '../../../text/words.js';
import { type BuildFacts, type Facts, type Finding, findingsOf } from '../facts.js';

const { ok, warning, problem } = findingsOf('Last build');

/** What the last build says of itself, and whether its output is still there. */
export function checkLastBuild({ build, site, store, now }: Facts): Finding[] {
	const { report } = build;
	if (!site) return [];
	if (!report) {
		const text =
			store.state === 'open'
				? 'There is no report, so the last build did not finish.'
				: 'There is no report of a build yet.';
		return [warning('Report', text, { code: 'PR_NO_REPORT', next: 'Run "npx astro build" to its end.' })];
	}
	const { builtAt, version, pages, findings } = report;
	return [
		ok('Built', `${ago(now - builtAt)} with version ${version}`),
		pages.withReviews > 0
			? ok('Pages', `${count(pages.withReviews, 'page')} with reviews`)
			: problem('Pages', 'No page of the last build has reviews.', {
					next: 'Place <ProductReviews pid={product.id} /> on the product pages, and build.',
				}),
		...(findings > 0
			? [
					warning('Audit', `${count(findings, 'finding')} about how pages show reviews.`, {
						next: 'Run "npx astro-product-reviews report --json" and look at "audit".',
					}),
				]
			: []),
		...checkIncremental(build),
		...checkOutput(build),
	];
}

function checkIncremental({ report }: BuildFacts): Finding[] {
	const { keyed, rendered } = report?.pages.incremental ?? {};
	if (keyed === undefined || rendered === undefined) return [];
	if (keyed === 0) {
		return [
			warning('Incremental', 'No page has a cacheKey, so all of them are rendered by every build.', {
				next: 'Return a cacheKey for each path in getStaticPaths.',
			}),
		];
	}
	return [ok('Incremental', `${amount(keyed - rendered)} of ${count(keyed, 'page')} with a cacheKey reused`)];
}

function checkOutput({ outDir, hasOutput, pages, whyNoPublish }: BuildFacts): Finding[] {
	const { checked, gone } = pages;
	if (!hasOutput) {
		return [
			warning('Output', `The output folder "${outDir}" is not here.`, {
				next: 'Build here, or run doctor where the site was built.',
			}),
		];
	}
	const found: Finding[] = [];
	if (gone > 0) {
		found.push(
			warning(
				'Output',
				`Of ${count(checked, 'page')} in "${outDir}", ${amount(gone)} gone since the last build.`,
				{ next: 'Build again.' },
			),
		);
	} else if (checked > 0) found.push(ok('Output', `"${outDir}" has the ${count(checked, 'page')} checked`));
	if (whyNoPublish !== undefined) {
		found.push(
			warning('Update', `"astro-product-reviews update" leaves everything to a build: ${whyNoPublish}.`, {
				next: 'Build once.',
			}),
		);
	}
	return found;
}
