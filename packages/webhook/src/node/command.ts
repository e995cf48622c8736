import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Rebuild } from '../collect/rebuild.js';
import { WebhookConfigurationError, WebhookError } from '../errors.js';
import { toPayload } from '../triggers/triggers.js';

/** Options of {@link command}. */
export interface CommandOptions {
	/** Folder to run it in. @default the working directory */
	readonly cwd?: string | undefined;
	/** Time limit, in milliseconds. @default 1_800_000 (30 minutes) */
	readonly timeout?: number | undefined;
	/** @default the environment of this process, without a receiver's secrets such as `REVIEWS_WEBHOOK_SECRET` */
	readonly env?: Readonly<Record<string, string | undefined>> | undefined;
	/**
	 * Exit code with which the command says that it did all it could, and that some pages need a rebuild by something else.
	 * It is then not retried, because that would change nothing.
	 * @default none: every exit code but 0 is a failure
	 * @example 3 // of `astro-product-reviews publish`
	 */
	readonly incompleteCode?: number | undefined;
}

/** Linux allows 128 KiB for one variable. */
const MOST_BYTES = 100_000;
/** Timers take a signed 32-bit number. */
const LONGEST_TIMER = 2_147_483_647;
/** How long to wait for the last output once the command has ended, in milliseconds. */
const OUTPUT_GRACE = 1_000;

/**
 * Rebuilds by running a command in the shell. The product ids are in `REVIEWS_CHANGED`, as JSON, where the integration
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
	if (!line?.trim()) throw new WebhookConfigurationError('The rebuild command is missing.');
	const { cwd, timeout = 1_800_000, env = commandEnvironment(process.env), incompleteCode } = options;
	return async ({ pids, all, signal, log, started }) => {
		signal.throwIfAborted();
		const child = spawn(line, {
			shell: true,
			cwd,
			// Its own process group, so that all of it can be ended. On Windows this would open a window.
			detached: process.platform !== 'win32',
			stdio: ['ignore', 'pipe', 'pipe'],
			env: { ...env, REVIEWS_CHANGED: JSON.stringify(toPayload({ pids, all }, MOST_BYTES)) },
		});
		// If this process is killed, the receiver that takes over must find the command.
		if (child.pid !== undefined) started?.(child.pid);
		const output = logOutput([child.stdout, child.stderr], log);
		const ended = Promise.withResolvers<string>();
		let reason: string | undefined;
		const end = (why: string) => {
			reason ??= why;
			// A process that left the group may keep the output open; do not wait for it.
			void endProcessGroup(child.pid as number).then(() => ended.resolve('the group'));
		};
		const onAbort = () => end('was ended because the receiver is shutting down');
		signal.addEventListener('abort', onAbort, { once: true });
		const timer = setTimeout(
			() => end(`took longer than ${timeout / 1_000} s and was ended`),
			Math.min(timeout, LONGEST_TIMER),
		);
		let graceTimer: NodeJS.Timeout | undefined;
		child.on('error', ended.reject);
		const finish = (status: string) => {
			// When the command is being ended, wait for its whole group.
			if (reason === undefined) ended.resolve(status);
		};
		child.on('exit', (code, killedBy) => {
			// Background processes may keep the output open indefinitely.
			graceTimer = setTimeout(finish, OUTPUT_GRACE, killedBy ?? String(code));
		});
		child.on('close', (code, killedBy) => finish(killedBy ?? String(code)));
		try {
			const status = await ended.promise;
			if (reason) throw failed(`The command ${reason}.`);
			if (status === String(incompleteCode)) {
				log(`The command ended with ${status}: it did what it could, and some pages need a rebuild.`);
			} else if (status !== '0') {
				// Leftover processes would interfere with the next attempt.
				if (child.pid !== undefined) await endProcessGroup(child.pid);
				throw failed(`The command ended with ${status}.\nEnd of its output:\n${output.tail}\n.`);
			}
		} finally {
			output.stop();
			clearTimeout(timer);
			clearTimeout(graceTimer);
			signal.removeEventListener('abort', onAbort);
		}
	};
}

function failed(message: string): WebhookError {
	return new WebhookError('PR_REBUILD_FAILED', message);
}

/** How much output a failure shows, in characters. */
const TAIL = 2_000;

/** Longest line to buffer, in characters. */
const MOST_LINE = 10_000;

/** How much output of one command is logged, in characters: enough for a build of 100,000 pages. */
const MOST_LOGGED = 10_000_000;

/** Output of a command that is being logged. */
interface LoggedOutput {
	/** The end of the output. */
	readonly tail: string;
	/** Logs the unfinished line. Later output is read and discarded, and does not keep this process alive. */
	stop(): void;
}

/** Logs whole lines, except for very long ones. Endless output fills neither the log nor memory. */
function logOutput(streams: readonly Readable[], log: (line: string) => void): LoggedOutput {
	let tail = '';
	let left = MOST_LOGGED;
	let isStopped = false;
	const write = (line: string) => {
		if (line.trim() === '' || left <= 0) return;
		left -= line.length;
		log(left > 0 ? `| ${line.trimEnd()}` : '| (further output is not logged)');
	};
	const flushes = streams.map((stream) => {
		let rest = '';
		const flush = () => {
			write(rest);
			rest = '';
		};
		stream.setEncoding('utf8').on('data', (text: string) => {
			if (isStopped) return;
			tail = (tail + text).slice(-TAIL);
			const lines = (rest + text).split('\n');
			rest = lines.pop() ?? '';
			lines.forEach(write);
			if (rest.length > MOST_LINE) flush();
		});
		stream.on('end', () => !isStopped && flush());
		return flush;
	});
	return {
		get tail() {
			return tail.trim();
		},
		stop() {
			if (isStopped) return;
			for (const flush of flushes) flush();
			isStopped = true;
			// Pipes are sockets. They stay open because writing to a closed pipe would end the process.
			for (const stream of streams as readonly Socket[]) stream.unref?.();
		},
	};
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that only a receiver needs: to verify events and to trigger rebuilds elsewhere. */
const OWN = [
	'REVIEWS_WEBHOOK_SECRET',
	'REVIEWS_WEBHOOK_KEY',
	'GITHUB_DISPATCH_TOKEN',
	'DEPLOY_HOOK_URL',
	'REDIS_URL',
];

/**
 * The environment of a command: the receiver's environment without its own secrets. A build runs code from many packages,
 * and none of it needs them.
 * @param names further variables that hold secrets of this receiver.
 */
export function commandEnvironment(environment: Environment, names: readonly string[] = []): Environment {
	const left = new Set([...OWN, ...names]);
	return Object.fromEntries(Object.entries(environment).filter(([name]) => !left.has(name)));
}

/** Time between SIGTERM and SIGKILL, in milliseconds, so that a build can clean up. */
const GRACE = 10_000;

/** How often to check whether they have ended, in milliseconds. */
const LOOK = 50;

/**
 * Ends a process group, given the id of its leader. The leader itself may be gone while others of the group still run.
 * Processes that ignore SIGTERM are killed after {@link GRACE}.
 */
export async function endProcessGroup(leader: number): Promise<void> {
	send(leader, 'SIGTERM');
	const end = performance.now() + GRACE;
	while (send(leader, 0) && performance.now() < end) await sleep(LOOK);
	send(leader, 'SIGKILL');
}

/** @returns whether any process of the group is left. */
function send(leader: number, signal: NodeJS.Signals | 0): boolean {
	try {
		process.kill(process.platform === 'win32' ? leader : -leader, signal);
		return true;
	} catch {
		return false;
	}
}
