import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/** Output that a failure shows, in characters. */
const TAIL = 2_000;
/** Longest line that is waited for, in characters. */
const MOST_LINE = 10_000;
/** Output of one command that is logged, in characters: that of a build of 100,000 pages. */
const MOST_LOGGED = 10_000_000;

/** What a command prints, on its way to the log. */
export interface LoggedOutput {
	/** The last of it. */
	readonly tail: string;
	/** Logs the line that was begun and nothing of what comes later: that is read and dropped, and keeps no process alive. */
	stop(): void;
}

/** Logs whole lines, however they come, except for those that are very long. Output without end fills neither log nor memory. */
export function logOutput(streams: readonly Readable[], log: (line: string) => void): LoggedOutput {
	let tail = '';
	let left = MOST_LOGGED;
	let isStopped = false;
	const write = (line: string) => {
		if (line.trim() === '' || left <= 0) return;
		left -= line.length;
		log(left > 0 ? `| ${line.trimEnd()}` : '| (the rest of its output is left out)');
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
			// Pipes are sockets. A process that writes into a closed one would be ended by that.
			for (const stream of streams as readonly Socket[]) stream.unref?.();
		},
	};
}
