import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Rebuild } from '../collector.js';
import { checkNumber, WebhookConfigurationError, WebhookError } from '../errors.js';
import { toPayload } from '../triggers.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Options of {@link command}. */
export interface CommandOptions {
	/** Folder to run the command in. @default the working directory */
	readonly cwd?: string | undefined;
	/** Time limit, in milliseconds. @default 1_800_000 (30 minutes) */
	readonly timeout?: number | undefined;
	/** @default the environment of this process, without a receiver's secrets such as `REVIEWS_WEBHOOK_SECRET` */
	readonly env?: Environment | undefined;
	/**
	 * Exit code with which the command says that it did all it could, and that some pages need a rebuild by something else.
	 * It is then not retried, because that would change nothing.
	 * @default none: every exit code but 0 is a failure
	 * @example 3 // of `astro-product-reviews update`
	 */
	readonly incompleteCode?: number | undefined;
}

/** Linux allows 128 KiB for one variable. */
const MAX_BYTES = 100_000;

/**
 * Rebuilds by running a command in the shell. The product IDs are in `REVIEWS_CHANGED`, as JSON, where the integration
 * reads them; if there are too many, it says "all". The first 10 MB of output go to the log.
 *
 * The command fails if it exits with anything but 0 or takes too long. It is then ended with every process it started:
 * first SIGTERM, then SIGKILL 10 s later. Background processes left by a command that exited with 0 keep running and are
 * not waited for.
 *
 * @throws WebhookConfigurationError for an empty command.
 * @example command('npm run build', { cwd: '/srv/shop' })
 */
export function command(line: string, options: CommandOptions = {}): Rebuild {
	if (!line?.trim()) throw new WebhookConfigurationError('The command to run is missing.');
	const { cwd, timeout = 1_800_000, env = commandEnvironment(process.env), incompleteCode } = options;
	checkNumber('timeout', timeout, 1);
	return async ({ pids, all, signal, log }) => {
		signal.throwIfAborted();
		const child = spawn(line, {
			shell: true,
			cwd,
			// Its own process group, so that all of it can be ended. On Windows this would open a window.
			detached: process.platform !== 'win32',
			stdio: ['ignore', 'pipe', 'pipe'],
			env: { ...env, REVIEWS_CHANGED: JSON.stringify(toPayload({ pids, all }, MAX_BYTES)) },
		});
		const output = logOutput([child.stdout, child.stderr], log);
		const ended = Promise.withResolvers<string>();
		let reason: string | undefined;
		const end = (why: string) => {
			reason ??= why;
			// A process that left the group may keep the output open; do not wait for it.
			void endProcessGroup(child.pid as number).then(() => ended.resolve('the group'));
		};
		const onAbort = () => end('The command was ended because the receiver is shutting down.');
		signal.addEventListener('abort', onAbort, { once: true });
		const late = `The command took longer than ${timeout / 1_000} s and was ended.`;
		const timer = setTimeout(end, timeout, late);
		let graceTimer: NodeJS.Timeout | undefined;
		const finish = (status: string) => {
			// When the command is being ended, wait for its whole group.
			if (reason === undefined) ended.resolve(status);
		};
		child.on('error', ended.reject);
		child.on('exit', (code, killedBy) => {
			// The last output may still come, but background processes may keep it open indefinitely.
			graceTimer = setTimeout(finish, 1_000, killedBy ?? String(code));
		});
		child.on('close', (code, killedBy) => finish(killedBy ?? String(code)));
		try {
			const status = await ended.promise;
			if (reason) throw new WebhookError('PR_UPDATE_FAILED', reason);
			const result = `The command ended with ${status}`;
			if (status === String(incompleteCode)) {
				log(`${result}: it did what it could, and some pages need a rebuild.`);
			} else if (status !== '0') {
				// Leftover processes would interfere with the next attempt.
				if (child.pid !== undefined) await endProcessGroup(child.pid);
				const end = output.tail().trim();
				throw new WebhookError('PR_UPDATE_FAILED', `${result}.\nEnd of its output:\n${end}\n.`);
			}
		} finally {
			output.stop();
			clearTimeout(timer);
			clearTimeout(graceTimer);
			signal.removeEventListener('abort', onAbort);
		}
	};
}

// In characters: the last is enough for a build of 100,000 pages.
const MAX_TAIL = 2_000;
const MAX_LINE = 10_000;
const MAX_LOGGED = 10_000_000;

/** Logs whole lines, except for very long ones. Endless output fills neither the log nor memory. */
function logOutput(streams: readonly Readable[], log: (line: string) => void) {
	const rests = new Map<Readable, string>();
	let tail = '';
	let left = MAX_LOGGED;
	let isStopped = false;
	const write = (line: string) => {
		if (line.trim() === '' || left <= 0) return;
		left -= line.length;
		log(left > 0 ? `| ${line.trimEnd()}` : '| (further output is not logged)');
	};
	for (const stream of streams) {
		stream.setEncoding('utf8').on('data', (text: string) => {
			if (isStopped) return;
			tail = (tail + text).slice(-MAX_TAIL);
			const lines = ((rests.get(stream) ?? '') + text).split('\n');
			const rest = (lines.at(-1) ?? '').length > MAX_LINE ? '' : lines.pop();
			rests.set(stream, rest ?? '');
			lines.forEach(write);
		});
	}
	return {
		tail: () => tail,
		/** Logs unfinished lines. Later output is read and discarded, and does not keep this process alive. */
		stop() {
			for (const rest of rests.values()) write(rest);
			isStopped = true;
			// Pipes are sockets. They stay open because writing to a closed pipe would end the process.
			for (const stream of streams as readonly Socket[]) stream.unref?.();
		},
	};
}

/** Variables that only a receiver needs: to verify events and to trigger rebuilds elsewhere. */
const SECRETS =
	'REVIEWS_WEBHOOK_SECRET REVIEWS_WEBHOOK_KEY GITHUB_DISPATCH_TOKEN DEPLOY_HOOK_URL REDIS_URL'.split(' ');

/**
 * Omits the secrets of a receiver. A build runs code from many packages, and none of it needs them.
 * @param names further variables that hold secrets.
 */
export function commandEnvironment(environment: Environment, names: readonly string[] = []): Environment {
	const kept = Object.entries(environment).filter(([name]) => ![...SECRETS, ...names].includes(name));
	return Object.fromEntries(kept);
}

/** In milliseconds, so that a build can clean up. */
const KILL_GRACE = 10_000;

/** Ends a group of processes. The leader itself may be gone while others of the group still run. */
async function endProcessGroup(leader: number): Promise<void> {
	send(leader, 'SIGTERM');
	const end = performance.now() + KILL_GRACE;
	while (send(leader, 0) && performance.now() < end) await sleep(50);
	send(leader, 'SIGKILL');
}

/** Returns whether any process of the group is left. */
function send(leader: number, signal: NodeJS.Signals | 0): boolean {
	try {
		process.kill(process.platform === 'win32' ? leader : -leader, signal);
		return true;
	} catch {
		return false;
	}
}
