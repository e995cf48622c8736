import { describeLacks, isOlder } from '../../../astro/supported-versions.js';
import type { Facts, SiteFacts } from '../facts.js';
import { type Finding, findingsOf } from '../finding.js';

const { ok, warning, problem } = findingsOf('Project');

/** The first Astro whose incremental builds reuse every page that they can. */
const GOOD_INCREMENTAL = [7, 3, 4] as const;

/** Versions, adapter, and what the Astro configuration says. */
export function checkProject({ versions, site, siteTrouble }: Facts): Finding[] {
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
