import type { Sandbox } from 'product-reviews-sandbox';
import { afterAll } from 'vitest';
import { type BuildProject, createProject } from './project.js';
import { startService } from './service.js';

/** A project, and the service that has the reviews of its products. */
export interface Shop {
	readonly project: BuildProject;
	readonly service: Sandbox;
}

/** @param atEnd says how long it is there: for all tests of the file, or with `onTestFinished` for the running one. */
export async function startShop(
	fixture: string,
	pids: readonly (string | number)[],
	atEnd: (end: () => Promise<void>) => unknown = afterAll,
): Promise<Shop> {
	const project = createProject(fixture);
	atEnd(async () => project.remove());
	const service = await startService(pids.map(String));
	atEnd(service.close);
	return { project, service };
}
