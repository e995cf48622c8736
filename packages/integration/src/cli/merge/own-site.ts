import { isAbsolute, relative } from 'node:path';
import { CommandError } from '../../errors.js';
import { describeBuild, type LastBuild } from '../../session/last-build.js';
import { loadSite, type SitePlace } from '../site/load-site.js';

/**
 * The site of a project, as a build of it on this machine would be. It decides where a merge writes, and with what pages are
 * updated.
 */
export interface OwnSite {
	readonly build: LastBuild;
	readonly account: string;
	/** The store's file, relative to the project. */
	readonly storeName: string;
}

/**
 * Reads the project's own configuration and environment.
 * @throws CommandError if output folder and store are not in the project's folder; ProductReviewsConfigurationError if the
 * configuration is incomplete; and what the configuration throws.
 */
export async function loadOwnSite(place: SitePlace): Promise<OwnSite> {
	const { project, options } = await loadSite(place);
	const connection = project.connection();
	const build = describeBuild({ options, connection, ...project.build() }, true, Date.now());
	const storeName = relative(place.root, project.storeFile());
	for (const [what, name] of [
		['The output folder', build.outDir],
		['The store', storeName],
	] as const) {
		if (name !== '' && !isAbsolute(name) && !/^\.\.(?:[/\\]|$)/.test(name)) continue;
		throw new CommandError(
			'PR_USAGE',
			`${what} of the project is not in the project's folder, so shards cannot be joined.`,
			'Leave out "outDir", "cacheDir" and the option "cacheDir", or name folders below the project.',
		);
	}
	return { build, account: connection.account, storeName };
}
