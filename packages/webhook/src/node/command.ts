import { spawn } from 'node:child_process';
import type { Rebuild } from '../collect/rebuild.js';
import { WebhookConfigurationError } from '../errors.js';
import { toPayload } from '../triggers/payload.js';
import { commandEnvironment } from './command-environment.js';
import { endProcessGroup } from './end-process-group.js';
import { logOutput } from './log-output.js';

/** Options of {@link command}. */
export interface CommandOptions {
	/** Folder in which it runs. @default the working directory */
	readonly cwd?: string | undefined;
	/** Longest time, in milliseconds. @default 1_800_000 (30 minutes) */
	readonly timeout?: number | undefined;
	/** Environment. @default that of this process, without the secrets of a receiver such as `REVIEWS_WEBHOOK_SECRET` */
	readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Linux takes 128 KiB for one variable. */
const MOST_BYTES = 100_000;
/** Timers take a signed number of 32 bits. */
const LONGEST_TIMER = 2_147_483_647;
/** How long the last output is waited for when the command has ended, in milliseconds. */
const OUTPUT_GRACE = 1_000;

/**
 * Rebuilds with a command line, run by the shell: the ids of the products are in `REVIEWS_CHANGED`, as JSON, where the
 * integration reads them; too many become "all". What it prints goes to the log, the first 10 MB
 * of it. It fails when it ends with anything but 0
 * or takes too long; then it is ended with every process that it started: asked with SIGTERM, and killed 10 s later. What
 * a command that ended with 0 leaves in the background goes on, and is not waited for.
 *
 * @throws WebhookConfigurationError for an empty command.
 * @example command('npm run build', { cwd: '/srv/shop' })
 */
export function command(line: string, options: CommandOptions = {}): Rebuild {
	if (!line?.trim()) throw new WebhookConfigurationError('The command of the rebuild is missing.');
	const { cwd, timeout = 1_800_000, env = commandEnvironment(process.env) } = options;
	return async ({ pids, all, signal, log, started }) => {
		signal.throwIfAborted();
		const child = spawn(line, {
			shell: true,
			cwd,
			// A group of its own, so that all of it can be ended; on Windows that would open a window.
			detached: process.platform !== 'win32',
			stdio: ['ignore', 'pipe', 'pipe'],
			env: { ...env, REVIEWS_CHANGED: JSON.stringify(toPayload({ pids, all }, MOST_BYTES)) },
		});
		// Whoever takes over when this process is killed has to find it.
		if (child.pid !== undefined) started?.(child.pid);
		const output = logOutput([child.stdout, child.stderr], log);
		const ended = Promise.withResolvers<string>();
		let reason: string | undefined;
		const end = (why: string) => {
			reason ??= why;
			// What left the group may hold the output open; nobody waits for that.
			void endProcessGroup(child.pid as number).then(() => ended.resolve('the group'));
		};
		const onAbort = () => end('was ended with the receiver');
		signal.addEventListener('abort', onAbort, { once: true });
		const timer = setTimeout(
			() => end(`took longer than ${timeout / 1_000} s, and was ended`),
			Math.min(timeout, LONGEST_TIMER),
		);
		let graceTimer: NodeJS.Timeout | undefined;
		child.on('error', ended.reject);
		const finish = (status: string) => {
			// Of a command that is being ended, all of its group is waited for.
			if (reason === undefined) ended.resolve(status);
		};
		child.on('exit', (code, killedBy) => {
			// What it left running in the background may hold the output open as long as it likes.
			graceTimer = setTimeout(finish, OUTPUT_GRACE, killedBy ?? String(code));
		});
		child.on('close', (code, killedBy) => finish(killedBy ?? String(code)));
		try {
			const status = await ended.promise;
			if (reason) throw new Error(`The command ${reason}.`);
			if (status !== '0') {
				// A part of it that goes on would meet the next try.
				if (child.pid !== undefined) await endProcessGroup(child.pid);
				throw new Error(`The command ended with ${status}.\nThe last of its output:\n${output.tail}\n.`);
			}
		} finally {
			output.stop();
			clearTimeout(timer);
			clearTimeout(graceTimer);
			signal.removeEventListener('abort', onAbort);
		}
	};
}
