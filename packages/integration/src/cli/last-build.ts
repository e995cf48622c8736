import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { baseUrlFor } from 'product-reviews-client/base-url';
import type { ReviewSite } from '../astro/project.js';
import { ago, amount, count, nameProduct, nameProducts, plainLine } from '../base/words.js';
import type { BuiltPages } from '../cache/queries.js';
import { ENVIRONMENT } from '../constants.js';
import { MAX_WITHOUT, withoutReviews } from '../project/log-lines.js';
import { openOutput, type WrittenManifest } from '../project/manifest.js';
import type { ReadReport } from '../project/report.js';
import { isProvider, type SiteConnection } from '../providers/load-provider.js';
import type { Findings } from './findings.js';
import { namePath } from './terminal.js';

/** The last build of a project, as far as something is known of it. */
interface LastBuild {
	readonly site: ReviewSite;
	/** See {@link describeOtherAccount}. */
	readonly otherAccount: string | undefined;
	readonly cacheFile: string;
	readonly manifest: WrittenManifest | undefined;
	readonly report: ReadReport | undefined;
	readonly pages: BuiltPages | undefined;
	/** `true` if one product is looked for, so that others do not matter. */
	readonly isGiven: boolean;
}

/** Returns whether pages of the site are rendered on demand. Those are in no build. */
export const hasServer = ({ config }: ReviewSite) => config.adapter !== undefined;

export function checkLastBuild(found: Findings, last: LastBuild): void {
	const { site, report, manifest, cacheFile, otherAccount } = last;
	const outDir = fileURLToPath(site.config.outDir);
	const { ok, warning } = found.in('Last build');
	if (otherAccount !== undefined)
		warning('Account', otherAccount, { next: 'If the settings are right, build again.' });
	if (!report) {
		const text = manifest
			? 'There is no report, so the last build did not finish.'
			: 'There is no report of a build yet.';
		warning('Report', text, { code: 'PR_NO_REPORT' });
		return;
	}
	ok('Built', `${ago(Date.now() - Date.parse(report.builtAt))} with version ${report.version}`);
	checkPages(found, report, last);
	if (!last.isGiven) checkWithoutReviews(found, report, site);
	const findings = report.audit.findings.length;
	if (findings > 0) {
		warning('Audit', `${count(findings, 'finding')} about how pages show reviews.`, {
			next: 'Run "npx astro-product-reviews report --json" and look at "audit".',
		});
	}
	if (!existsSync(outDir)) {
		warning('Output', `The output folder ${namePath(outDir)} is not here.`, {
			next: 'Build here, or run doctor where the site was built.',
		});
		return;
	}
	const why = whyNotUpdatable(cacheFile, fileURLToPath(site.config.root));
	if (why === undefined) ok('Update', 'writes new reviews into the pages');
	else {
		const text = `"astro-product-reviews update" leaves everything to a build: ${why}.`;
		warning('Update', text, { next: 'Build once.' });
	}
}

/**
 * Compares whose reviews the pages have with whose the settings name now.
 * @returns the difference, as a sentence; `undefined` if none is known.
 */
export function describeOtherAccount(
	built: WrittenManifest | undefined,
	connection: SiteConnection | undefined,
): string | undefined {
	if (!built || !connection || built.account === connection.account) return undefined;
	const wasHosted = built.provider === undefined;
	if (isProvider(connection)) {
		return wasHosted
			? 'The last build used the hosted service, but the settings name a provider.'
			: 'The last build used another provider, or another store of it, than the settings name.';
	}
	if (!wasHosted) return 'The last build used a provider, but the settings name the hosted service.';
	if (built.wsid !== connection.wsid) {
		const [before, now] = [built.wsid, connection.wsid].map((wsid) => `"${plainLine(wsid, 60)}"`);
		return `The last build used the website ID ${before}, but the settings say ${now}.`;
	}
	const urls = (['crawlerReviews', 'productReviewData', 'starRating'] as const).map((operation) =>
		[built, connection].map(({ baseUrl }) => plainLine(baseUrlFor(baseUrl, operation) ?? '', 200)),
	);
	const [before, now] = urls.find(([one, other]) => one !== other) ?? [];
	return `The last build used the service at ${before}, but the settings say ${now}.`;
}

function checkPages(found: Findings, report: ReadReport, { site, pages }: LastBuild): void {
	const { ok, warning, problem } = found.in('Last build');
	const { withReviews } = report.pages;
	if (withReviews > 0) {
		ok('Pages', `${count(withReviews, 'page')} with reviews`);
		if (pages?.hasReviews && !pages.mayHaveSchema) {
			warning('Structured data', 'No page has structured data.', {
				next: 'If you placed <ReviewSchema slot="head">, check that your layout has <slot name="head" />.',
			});
		}
		return;
	}
	if (hasServer(site)) {
		const { baseUrl, wsid } = ENVIRONMENT;
		const text = `none with reviews in the build; a server needs ${baseUrl} and ${wsid} in its environment to render them on demand`;
		ok('Pages', text);
		return;
	}
	const { totals, products } = report;
	const hasAny = totals.fetched + totals.unchanged + totals.stale > 0;
	const asked = new Set(pages?.asked);
	if (asked.size === 0) {
		const text = 'No page of the last build has reviews.';
		// Without its pages, nobody knows whether they asked for products that have none.
		if (!pages && !hasAny && totals.products > 0) warning('Pages', text);
		else {
			problem('Pages', text, {
				next: 'Place <ProductReviews pid={product.id} /> on the product pages, and build.',
			});
		}
		return;
	}
	const those = (...statuses: readonly unknown[]) =>
		products.flatMap(({ pid, status }) => (asked.has(pid) && statuses.includes(status) ? [pid] : []));
	const [failed, missing] = [those('failed', 'unreadable'), those('missing')];
	const on = (pids: readonly string[]) => `the products on the pages: ${nameProducts(pids, MAX_WITHOUT)}.`;
	if (failed.length > 0) {
		warning('Pages', `No page shows reviews, since the service failed for ${on(failed)}`, {
			next: 'Build again when the service responds.',
		});
	} else if (missing.length > 0) {
		// If the service has none at all, another check says what to do.
		warning('Pages', `No page shows reviews, since the service has none of ${on(missing)}`, {
			next: hasAny ? compareIds(missing) : undefined,
		});
	} else {
		warning('Pages', `No page shows reviews, although pages ask for ${count(asked.size, 'product')}.`, {
			next: 'Check the props of the components, such as "filter".',
		});
	}
}

const compareIds = (pids: readonly string[]) => {
	const ids = pids.length === 1 ? 'the ID with the one' : 'the IDs with those';
	return `If ${nameProducts(pids, MAX_WITHOUT)} should have reviews, compare ${ids} at the service.`;
};

/** Names a few products without reviews among others, which may have a wrong ID. Many are normal in a large shop. */
function checkWithoutReviews(found: Findings, report: ReadReport, site: ReviewSite): void {
	const { totals } = report;
	const { missing } = totals;
	if (missing === 0 || missing >= totals.products) return;
	const { ok, warning } = found.in('Last build');
	const all = `${amount(missing)} of the ${count(totals.products, 'product')}`;
	if (missing > MAX_WITHOUT) {
		ok('No reviews', `${all} have none`);
		return;
	}
	const pids = withoutReviews(report);
	const from = site.options.provider ? 'The provider' : 'The service';
	warning('No reviews', `${from} has no reviews of ${all}: ${pids.map(nameProduct).join(', ')}.`, {
		next: compareIds(pids),
	});
}

function whyNotUpdatable(cacheFile: string, root: string): string | undefined {
	try {
		return openOutput({ cacheFile, root }).reason;
	} catch (error) {
		return (error as Error).message;
	}
}
