import { readBuildChanges } from '../session/changed-products.js';
import type { Logger, SiteContext } from '../session/run-context.js';
import type { BuildRun } from '../session/start-build.js';
import type { Project } from './project.js';

/** Starts the reviews of a build. What that takes is loaded only now: most commands of Astro do not build. */
export async function startSiteBuild(site: SiteContext, project: Project, logger: Logger): Promise<BuildRun> {
	const { startBuild } = await import('../session/start-build.js');
	return startBuild({ ...site, ...project.build(), changed: readBuildChanges(logger), logger });
}
