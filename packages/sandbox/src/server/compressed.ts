import { constants, gzipSync } from 'node:zlib';
import type { Answer } from './answer.js';

/** Below this size, in bytes, compression costs more than it saves. */
const MINIMUM_BYTES = 1_024;

/** Compresses bodies of more than 1 KB with gzip if the caller accepts it. Videos are already compressed. */
export function compressed(full: Answer, acceptEncoding: string | undefined): Answer {
	if (full.headers['content-type']?.startsWith('video/')) return full;
	const headers = { ...full.headers, vary: 'accept-encoding' };
	if (full.body.length <= MINIMUM_BYTES || !acceptsGzip(acceptEncoding ?? '')) return { ...full, headers };
	return {
		...full,
		headers: { ...headers, 'content-encoding': 'gzip' },
		// The fastest level: the sandbox shares a machine with the build that it serves.
		body: gzipSync(full.body, { level: constants.Z_BEST_SPEED }),
	};
}

function acceptsGzip(header: string): boolean {
	return header.split(',').some((entry) => {
		const [coding, ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
		const isRefused = parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
		return (coding === 'gzip' || coding === '*') && !isRefused;
	});
}
