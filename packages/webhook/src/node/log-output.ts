import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/** How much output a failure shows, in characters. */
const TAIL = 2_000;
/** Longest line to buffer, in characters. */
const MOST_LINE = 10_000;
/** How much output of one command is logged, in characters: enough for a build of 100,000 pages. */
const MOST_LOGGED = 10_000_000;

/** Output of a command that is being logged. */
export interface LoggedOutput {
	/** The end of the output. */
	readonly tail: string;
	/** Logs the unfinished line. Later output is read and discarded, and does not keep this process alive. */
	stop(): void;
}

/** Logs whole lines, except for very long ones. Endless output fills neither the log nor memory. */
export function logOutput(streams: readonly Readable[], log: (line: string) => void): LoggedOutput {
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
