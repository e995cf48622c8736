import { runDoctor } from '../doctor/run-doctor.js';
import type { CommandLine } from './read-command.js';

type Process = Pick<typeof process, 'env' | 'cwd' | 'stdout'> & {
	exitCode?: number | string | null | undefined;
};

/**
 * Diagnoses a project, and sets the exit code: 1 if anything is wrong.
 * @returns texts to print.
 */
export async function doctorCommand({ place, product, json }: CommandLine, run: Process): Promise<string[]> {
	// Standard output is for the result. The configuration and the product list may print, too.
	const { log, info } = console;
	console.log = console.error;
	console.info = console.error;
	try {
		const { text, isSound } = await runDoctor({
			cwd: run.cwd(),
			root: place.root,
			pid: product,
			json,
			hasColour: run.stdout.isTTY === true && !run.env['NO_COLOR'] && run.env['TERM'] !== 'dumb',
		});
		run.exitCode = isSound ? 0 : 1;
		return [text];
	} finally {
		Object.assign(console, { log, info });
	}
}
