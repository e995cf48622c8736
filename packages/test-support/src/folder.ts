import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Makes a folder for more than one test. @param name is in its path. */
export function createLastingFolder(name = 'test', parent = tmpdir()) {
	const folder = mkdtempSync(join(parent, `product-reviews-${name}-`));
	return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Makes a folder of the running test's own, removed after the test. */
export function createFolder(...options: Parameters<typeof createLastingFolder>): string {
	const { folder, remove } = createLastingFolder(...options);
	onTestFinished(remove);
	return folder;
}
