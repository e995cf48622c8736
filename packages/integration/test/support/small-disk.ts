import { execFileSync } from 'node:child_process';
import { createLastingFolder } from 'product-reviews-test-support/folder';

/**
 * Mounts a disk in memory, for what happens when it is full or cannot be written. @param size such as `1m`.
 * @returns why not, where this machine does not permit that: it needs root.
 */
export function mountSmallDisk(size: string) {
	const { folder, remove } = createLastingFolder('disk');
	const mount = (options: string) =>
		execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'pipe' });
	try {
		mount(`size=${size}`);
	} catch (error) {
		remove();
		return `A disk cannot be mounted here, which takes root on Linux: ${(error as Error).message.trim()}`;
	}
	return {
		folder,
		/** Changes it: `size=16m`, `ro`, `rw`. */
		remount: (options: string) => mount(`remount,${options}`),
		remove() {
			execFileSync('umount', [folder], { stdio: 'pipe' });
			remove();
		},
	};
}
