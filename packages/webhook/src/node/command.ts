import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Rebuild } from '../collect/rebuild.js';
import { WebhookConfigurationError } from '../errors.js';
import { toPayload } from '../triggers/payload.js';
import { endProcessGroup } from './end-process-group.js';

/** Options of {@link command}. */
export interface CommandOptions {
	/** Folder in which it runs. @default the working directory */
	readonly cwd?: string | undefined;
	/** Longest time, in milliseconds. @default 1_800_000 (30 minutes) */
	readonly timeout?: number | undefined;
	/** Environment. @default that of this process */
	readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Linux takes 128 KiB for one variable. */
const MOST_BYTES = 100_000;
/** Timers take a signed number of 32 bits. */
const LONGEST_TIMER = 2_147_483_647;
/** Output that a failure shows, in characters. */
const TAIL = 2_000;
/** Longest line that is waited for, in characters. */
const MOST_LINE = 10_000;

/**
 * Rebuilds with a command line, run by the shell: the ids of the products are in `REVIEWS_CHANGED`, as JSON, where the
 * integration reads them; too many become "all". What it prints goes to the log. It fails when it ends with anything but 0
 * or takes too long; then it is ended with every process that it started.
 *
 * @throws WebhookConfigurationError for an empty command.
 * @example command('npm run build', { cwd: '/srv/shop' })
 */
export function command(line: string, options: CommandOptions = {}): Rebuild {
	if (!line?.trim()) throw new WebhookConfigurationError('The command of the rebuild is missing.');
	const { cwd, timeout = 1_800_000, env = process.env } = options;
	return async ({ pids, all, signal, log }) => {
		signal.throwIfAborted();
		const child = spawn(line, {
			shell: true,
			cwd,
			// A group of its own, so that all of it can be ended; on Windows that would open a window.
			detached: process.platform !== 'win32',
			stdio: ['ignore', 'pipe', 'pipe'],
			env: { ...env, REVIEWS_CHANGED: JSON.stringify(toPayload({ pids, all }, MOST_BYTES)) },
		});
		let tail = '';
		for (const stream of [child.stdout, child.stderr]) {
			stream.on('data', (text: string) => {
				tail = (tail + text).slice(-TAIL);
			});
			logLines(stream.setEncoding('utf8'), log);
		}
		const ended = Promise.withResolvers<string>();
		let reason: string | undefined;
		const end = (why: string) => {
			reason ??= why;
			// What left the group may hold the output open; nobody waits for that.
			void endProcessGroup(child).then(() => ended.resolve('the group'));
		};
		const onAbort = () => end('was ended with the receiver');
		signal.addEventListener('abort', onAbort, { once: true });
		const timer = setTimeout(
			() => end(`took longer than ${timeout / 1_000} s, and was ended`),
			Math.min(timeout, LONGEST_TIMER),
		);
		child.on('error', ended.reject);
		child.on('close', (code, killedBy) => ended.resolve(killedBy ?? String(code)));
		try {
			const status = await ended.promise;
			if (reason) throw new Error(`The command ${reason}.`);
			if (status !== '0') {
				throw new Error(`The command ended with ${status}.\nThe last of its output:\n${tail.trim()}\n.`);
			}
		} finally {
			clearTimeout(timer);
			signal.removeEventListener('abort', onAbort);
		}
	};
}

/** Whole lines, however they come, but for those that are very long. */
function logLines(stream: Readable, log: (line: string) => void): void {
	let rest = '';
	const flush = (lines: readonly string[]) => {
		for (const line of lines) if (line.trim() !== '') log(`| ${line.trimEnd()}`);
	};
	stream.on('data', (text: string) => {
		const lines = (rest + text).split('\n');
		rest = lines.pop() ?? '';
		if (rest.length > MOST_LINE) {
			lines.push(rest);
			rest = '';
		}
		flush(lines);
	});
	stream.on('end', () => flush([rest]));
}
