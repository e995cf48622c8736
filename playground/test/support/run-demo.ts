import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment } from 'product-reviews-test-support/astro';
import { createLastingFolder } from 'product-reviews-test-support/folder';
import { runNode } from 'product-reviews-test-support/node-program';
import { PLAYGROUND } from './build-playground.ts';
import { inTurn } from './in-turn.ts';

const SCRIPT = fileURLToPath(new URL('../../../scripts/demo.mjs', import.meta.url));

/** The demo, running as a separate process. */
export interface RunningDemo {
	/** Everything it printed. */
	output(): string;
	/** Presses Ctrl+C the given number of times. @returns its status, or the signal that ended it */
	interrupt(times?: number): Promise<number | string | null>;
	/** Folders and command lines of processes that it left behind. */
	left(): Promise<readonly string[]>;
}

/** Runs the demo while no other process builds the playground. */
export function runDemo(work: (demo: RunningDemo) => Promise<void>): Promise<void> {
	return inTurn(PLAYGROUND, async () => {
		// Of this demo alone, so that what it leaves behind can be told from what is another's.
		const { folder, remove } = createLastingFolder('demo');
		const { child, ended, output } = runNode([SCRIPT], { env: { ...cleanEnvironment(), TMPDIR: folder } });
		const interrupt = (times = 1) => {
			for (let time = 0; time < times; time++) child.kill('SIGINT');
			return ended;
		};
		try {
			await work({
				output,
				interrupt,
				left: async () => [...(await foldersOf(folder)), ...(await processesWith(folder))],
			});
		} finally {
			await interrupt();
			remove();
		}
	});
}

const foldersOf = async (folder: string) =>
	(await readdir(folder)).filter((name) => name.startsWith('product-reviews-demo-'));

/** Command lines that contain a text, according to Linux. */
async function processesWith(text: string): Promise<string[]> {
	const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
	// A process may end in the meantime.
	const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
	return lines.filter((line) => line.includes(text));
}
