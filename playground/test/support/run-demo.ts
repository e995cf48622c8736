import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PLAYGROUND, withoutReviewSettings } from './build-playground.ts';
import { inTurn } from './in-turn.ts';

const SCRIPT = fileURLToPath(new URL('../../../scripts/demo.mjs', import.meta.url));

/** The demo, as a program of its own. */
export interface RunningDemo {
	/** Everything that it printed. */
	output(): string;
	/** Presses Ctrl+C, as often as said. @returns its status, or the signal that ended it */
	interrupt(times?: number): Promise<number | string | null>;
	/** Folders that it left behind, and command lines of processes. */
	left(): Promise<readonly string[]>;
}

/** Runs the demo while nobody else builds the playground. */
export function runDemo(work: (demo: RunningDemo) => Promise<void>): Promise<void> {
	return inTurn(PLAYGROUND, async () => {
		// Of this demo alone, so that what it leaves behind can be told from what is another's.
		const folder = await mkdtemp(join(tmpdir(), 'playground-demo-'));
		const child = spawn(process.execPath, [SCRIPT], {
			env: { ...withoutReviewSettings(process.env), TMPDIR: folder },
		});
		const ended = new Promise<number | string | null>((resolve) => {
			child.once('close', (status, signal) => resolve(status ?? signal));
		});
		let output = '';
		for (const stream of [child.stdout, child.stderr])
			stream.setEncoding('utf8').on('data', (text) => {
				output += text;
			});
		const interrupt = (times = 1) => {
			for (let time = 0; time < times; time++) child.kill('SIGINT');
			return ended;
		};
		try {
			await work({
				output: () => output,
				interrupt,
				left: async () => [...(await foldersOf(folder)), ...(await processesWith(folder))],
			});
		} finally {
			await interrupt();
			await rm(folder, { recursive: true, force: true });
		}
	});
}

const foldersOf = async (folder: string) =>
	(await readdir(folder)).filter((name) => name.startsWith('product-reviews-demo-'));

/** Command lines that hold a text, as Linux tells them. */
async function processesWith(text: string): Promise<string[]> {
	const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
	// A process may end while it is asked.
	const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
	return lines.filter((line) => line.includes(text));
}
