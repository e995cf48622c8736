import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder of the running test's own, removed after it. */
export function createFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), 'product-reviews-unit-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}
