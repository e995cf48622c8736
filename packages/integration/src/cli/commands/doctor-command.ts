import { runDoctor } from '../doctor/run-doctor.js';
import { onStandardError, sitePlace } from './locate-store.js';
import type { CommandLine } from './read-command.js';

type Process = Pick<typeof process, 'env' | 'cwd' | 'stdout'> & {
	exitCode?: number | string | null | undefined;
};

/**
 * Diagnoses a project, and sets the exit code: 1 if anything is wrong.
 * @returns texts to print.
 */
export async function doctorCommand({ place, product, json }: CommandLine, run: Process): Promise<string[]> {
	// The configuration and the product list may print, too.
	const { text, isSound } = await onStandardError(() =>
		runDoctor({
			cwd: run.cwd(),
			place: sitePlace(place, run.cwd()),
			pid: product,
			json,
			hasColour: run.stdout.isTTY === true && !run.env['NO_COLOR'] && run.env['TERM'] !== 'dumb',
		}),
	);
	run.exitCode = isSound ? 0 : 1;
	return [text];
}
