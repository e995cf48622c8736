import { describeLacks, isOlder } from '../../astro/supported-versions.js';
import { checkConfiguration } from './checks/check-configuration.js';
import { checkLastBuild } from './checks/check-last-build.js';
import { checkNewReviews } from './checks/check-new-reviews.js';
import { checkProduct } from './checks/check-product.js';
import { checkService } from './checks/check-service.js';
import { checkStore } from './checks/check-store.js';
import { type Facts, type Finding, findingsOf, type SiteFacts } from './facts.js';

const { ok, warning, problem } = findingsOf('Project');

/** The first Astro whose incremental builds reuse every page that they can. */
const GOOD_INCREMENTAL = [7, 3, 4] as const;

/** Versions, adapter, and what the Astro configuration says. */
function checkProject({ versions, site, siteTrouble }: Facts): Finding[] {
	const lacks = describeLacks(versions.astro);
	return [
		ok('Node', versions.node),
		ok('Astro', lacks ?? versions.astro),
		...(siteTrouble
			? [
					problem('Astro config', siteTrouble.reason, {
						code: siteTrouble.code,
						next: siteTrouble.next ?? 'Fix what the message names, and run doctor again.',
					}),
				]
			: []),
		...(site ? checkSite(site, versions.astro) : []),
	];
}

function checkSite(site: SiteFacts, astro: string): Finding[] {
	return [
		ok('Adapter', site.adapter ?? 'none: all pages are static'),
		site.site
			? ok('Site address', site.site)
			: warning('Site address', 'Not set, so structured data has the product addresses of the service.', {
					next: 'Set "site" in the Astro configuration.',
				}),
		checkIncremental(site, astro),
		ok(
			'CSP',
			site.hasCsp
				? 'on: the components need no inline style or script; allow the hosts of review photos in img-src'
				: 'off',
		),
	];
}

function checkIncremental({ isIncremental }: SiteFacts, astro: string): Finding {
	if (!isIncremental) return ok('Incremental', 'off: every build renders all pages');
	if (isOlder(astro, GOOD_INCREMENTAL)) {
		return warning('Incremental', `Astro ${astro} reuses fewer pages than it could.`, {
			next: `Upgrade to Astro ${GOOD_INCREMENTAL.join('.')} or later.`,
		});
	}
	return ok('Incremental', 'on: pages whose reviews did not change are reused');
}

const CHECKS = [
	checkProject,
	checkConfiguration,
	checkService,
	checkProduct,
	checkStore,
	checkLastBuild,
	checkNewReviews,
];

/** All findings and what follows from them. */
export interface Diagnosis {
	/** `'ok'` may include warnings. */
	readonly verdict: 'ok' | 'problems';
	readonly problems: number;
	readonly warnings: number;
	readonly findings: readonly Finding[];
	/** What to do, the most urgent first. */
	readonly next: readonly string[];
}

/** Turns facts into findings and next steps. */
export function diagnose(facts: Facts): Diagnosis {
	const findings = CHECKS.flatMap((check) => check(facts));
	const of = (state: Finding['state']) => findings.filter((finding) => finding.state === state);
	const [problems, warnings] = [of('problem'), of('warning')];
	const next = [...problems, ...warnings].flatMap((finding) => finding.next ?? []);
	return {
		verdict: problems.length > 0 ? 'problems' : 'ok',
		problems: problems.length,
		warnings: warnings.length,
		findings,
		next: [...new Set(next)],
	};
}
