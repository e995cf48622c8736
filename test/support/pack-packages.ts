import { createLastingFolder } from 'product-reviews-test-support/folder';
import type { TestProject } from 'vitest/node';
import { PACKAGES, pack } from '../../scripts/pack.mjs';

declare module 'vitest' {
	interface ProvidedContext {
		/** The packed packages, as dependencies by name. */
		tarballs: Record<string, string>;
	}
}

/** Packs the packages once for all tests that install them. */
export default function packPackages(project: TestProject) {
	const { folder, remove } = createLastingFolder('tarballs');
	const tarballs: Record<string, string> = {};
	for (const { directory } of PACKAGES) {
		const { name, file } = pack(directory, folder);
		tarballs[name] = `file:${file}`;
	}
	project.provide('tarballs', tarballs);
	return remove;
}
