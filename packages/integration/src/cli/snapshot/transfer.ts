import { randomBytes } from 'node:crypto';
import { createReadStream, readdirSync, rmSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { CommandError } from '../../errors.js';
import { describeCause } from '../../failures/describe-failure.js';
import { size } from '../../text/words.js';

/** A transfer that stands still for so long has failed, in milliseconds. */
const LONGEST_SILENCE = 60_000;

/** What a transfer is made with. */
export interface TransferContext extends ProgressContext {
	/** Value of the header. */
	readonly authorization: string | undefined;
}

/** Sends a file with PUT. @throws CommandError if that fails */
export async function upload(file: string, url: URL, context: TransferContext): Promise<void> {
	const { size } = await stat(file);
	const watch = watchSilence();
	const body = Readable.from(counted(createReadStream(file), 'Uploaded', size, context, watch.renew));
	try {
		const response = await send(url, {
			method: 'PUT',
			// Object stores refuse a body without a length.
			headers: {
				...headersOf(context),
				'content-type': 'application/octet-stream',
				'content-length': String(size),
			},
			body: Readable.toWeb(body) as ReadableStream,
			duplex: 'half',
			signal: watch.signal,
		});
		await response.body?.cancel();
	} finally {
		watch.end();
		body.destroy();
	}
}

/** Receives a file with GET. @throws CommandError if that fails, also while it is read */
export async function* download(
	url: URL,
	context: TransferContext,
): AsyncGenerator<Uint8Array, void, undefined> {
	const watch = watchSilence();
	try {
		const { body, headers } = await send(url, { headers: headersOf(context), signal: watch.signal });
		const length = Number(headers.get('content-length')) || undefined;
		if (body) yield* counted(body, 'Downloaded', length, context, watch.renew);
	} catch (cause) {
		throw cause instanceof CommandError ? cause : failed('GET', url, describeCause(cause), cause);
	} finally {
		watch.end();
	}
}

type Request = RequestInit & { readonly duplex?: 'half' };

async function send(url: URL, init: Request): Promise<Response> {
	const { method = 'GET' } = init;
	// Pages show what is in a snapshot, so it must come from where the user says.
	const response = await fetch(url, { ...init, redirect: 'error' }).catch((cause) => {
		throw failed(method, url, describeCause(cause), cause);
	});
	if (response.ok) return response;
	await response.body?.cancel();
	const { status, statusText } = response;
	if (method === 'GET' && status === 404) throw missing(`${url.origin}${url.pathname}`);
	throw failed(method, url, `the answer was ${[status, statusText].join(' ').trim()}.`);
}

function headersOf({ authorization }: TransferContext): Record<string, string> {
	if (!authorization) return {};
	if (HEADER_VALUE.test(authorization)) return { authorization };
	// The error of fetch() would repeat it.
	throw new CommandError(
		'PR_USAGE',
		`The variable ${AUTHORIZATION} is not the value of a header.`,
		'It must be one line of ASCII characters, such as "Bearer ...".',
	);
}

const HEADER_VALUE = /^[\x20-\x7e]+$/;

/** @param place as a message may name it. */
export function missing(place: string, cause?: unknown): CommandError {
	return new CommandError(
		'PR_SNAPSHOT_MISSING',
		`There is no snapshot at ${place}.`,
		'"astro-product-reviews store push" makes one. Until then, a build fetches what it needs.',
		{ cause },
	);
}

function failed(method: string, url: URL, reason: string, cause?: unknown): CommandError {
	return new CommandError(
		'PR_SNAPSHOT_TRANSFER',
		`[${method}] ${url.origin}${url.pathname}: ${reason}`,
		`Check the address, and ${AUTHORIZATION} if the server wants one.`,
		{ cause },
	);
}

/** Aborts a transfer that stands still. */
function watchSilence(): { signal: AbortSignal; renew: () => void; end: () => void } {
	const controller = new AbortController();
	const timer = setTimeout(() => {
		controller.abort(`nothing was transferred for ${LONGEST_SILENCE / 1_000} s.`);
	}, LONGEST_SILENCE);
	return { signal: controller.signal, renew: () => void timer.refresh(), end: () => clearTimeout(timer) };
}

/** SQLite's codes for errors of the disk, a full disk, and a file that cannot be opened. */
const CODES = new Set([10, 13, 14]);

/** Whether SQLite could not write a file. The database itself may be whole. */
export function isDiskError(error: unknown): error is Error {
	const { errcode = 0 } = error as { readonly errcode?: number };
	return CODES.has(errcode & 0xff);
}

/** How long a file that a killed process left stays, in milliseconds: a day. */
const LEFT_FOR = 86_400_000;

const SUFFIX = /\.[0-9a-f]{16}\.tmp(?:-journal|-wal|-shm)?$/;

/**
 * Names a temporary file beside another one. The name is random, because processes of two containers that share a folder
 * may have the same id. Removes files that killed processes left there.
 * @param now milliseconds since 1970.
 * @example temporaryBeside('/shop/reviews.db', Date.now()) // '/shop/reviews.db.3f9c5a0b7d21e864.tmp'
 */
export function temporaryBeside(file: string, now: number): { readonly path: string; remove(): void } {
	const path = `${file}.${randomBytes(8).toString('hex')}.tmp`;
	const remove = () => {
		for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
	};
	for (const name of readdirSync(dirname(file))) {
		const other = join(dirname(file), name);
		if (!name.startsWith(`${basename(file)}.`) || !SUFFIX.test(name)) continue;
		const found = statSync(other, { throwIfNoEntry: false });
		if (found && now - found.mtimeMs > LEFT_FOR) rmSync(other, { force: true });
	}
	return { path, remove };
}

/** Where a snapshot is kept. */
export type SnapshotPlace = { readonly file: string } | { readonly url: URL };

/** Also a mistyped URL: as a path, it would be printed with its query. */
const LIKE_URL = /:\/\/|^\s*https?:/i;

const OWN_MACHINE = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * Reads what the command line gives: a path, or a URL.
 * @param cwd the working directory.
 * @throws CommandError for a URL that cannot be used.
 */
export function readPlace(text: string, cwd: string): SnapshotPlace {
	if (!LIKE_URL.test(text)) return { file: resolve(cwd, text) };
	const url = URL.parse(text);
	if (!url || !/^https?:$/.test(url.protocol)) {
		throw misused('The place of a snapshot is the path of a file, or a URL that begins with https://.');
	}
	if (url.username || url.password) {
		throw misused(
			`The URL must not contain a password. Set ${AUTHORIZATION} to the value of the header Authorization.`,
		);
	}
	// Pages show what a snapshot contains, so nobody may change it on its way.
	if (url.protocol === 'http:' && !OWN_MACHINE.test(url.hostname)) {
		throw misused('The URL of a snapshot must begin with https://, except on this machine.');
	}
	return { url };
}

/** The value of the header `Authorization` that `store push` and `store pull` send to a URL, such as `Bearer ...`. */
export const AUTHORIZATION = 'REVIEWS_SNAPSHOT_AUTHORIZATION';

/** A place for a message. The query of a presigned URL is a secret. */
export function namePlace(place: { readonly url: URL }): string {
	return `${place.url.origin}${place.url.pathname}`;
}

function misused(message: string): CommandError {
	return new CommandError(
		'PR_USAGE',
		message,
		'Run astro-product-reviews --help for all commands and options.',
	);
}

/** Pause between two lines, in milliseconds. */
const PAUSE = { terminal: 1_000, other: 10_000 };

/** How to log the progress of a transfer. */
export interface ProgressContext {
	readonly isTerminal: boolean;
	readonly log: (line: string) => void;
}

/**
 * Passes bytes on, and logs how many if it takes long.
 * @param verb a past participle: "Uploaded".
 * @param total bytes, if known.
 * @param onChunk called with the length of each chunk.
 */
export async function* counted(
	chunks: AsyncIterable<Uint8Array>,
	verb: string,
	total: number | undefined,
	{ isTerminal, log }: ProgressContext,
	onChunk: (bytes: number) => void = () => {},
): AsyncGenerator<Uint8Array, void, undefined> {
	let bytes = 0;
	let lastAt = performance.now();
	for await (const chunk of chunks) {
		bytes += chunk.length;
		onChunk(chunk.length);
		yield chunk;
		const now = performance.now();
		if (now - lastAt < PAUSE[isTerminal ? 'terminal' : 'other']) continue;
		lastAt = now;
		log(`${verb} ${size(bytes)}${total === undefined ? '' : ` of ${size(total)}`}`);
	}
}

/** First bytes of a compressed file. */
const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/** Bytes that tell one from the other. */
export const MAGIC_LENGTH = ZSTD_MAGIC.length;

// zstd came with Node 22.15. Values in the store are compressed already, so more than level 1 only takes time.
const hasZstd = typeof zlib.createZstdCompress === 'function';

/**
 * Compresses a snapshot, with a checksum of the whole: zstd if this Node has it, gzip otherwise.
 * @param length of what is compressed, in bytes.
 */
export function createCompress(length: number): Transform {
	if (!hasZstd) return zlib.createGzip({ level: 1 });
	const { ZSTD_c_compressionLevel, ZSTD_c_checksumFlag } = zlib.constants;
	const params = { [ZSTD_c_compressionLevel]: 1, [ZSTD_c_checksumFlag]: 1 };
	return zlib.createZstdCompress({ params, pledgedSrcSize: length });
}

/**
 * Reads what {@link createCompress} of any version of Node wrote. Fails if the checksum is wrong, or the end is missing.
 * @param head the first bytes of the file.
 * @throws CommandError if it is neither, or this version of Node cannot read it.
 */
export function createDecompress(head: Buffer): Transform {
	if (head.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC)) return zlib.createGunzip();
	if (!head.equals(ZSTD_MAGIC)) throw unusable('it is not compressed as a snapshot is');
	if (hasZstd) return zlib.createZstdDecompress();
	throw unusable('it was made by a newer Node, and this one is older than 22.15');
}

/** @param reason a clause. */
export function unusable(reason: string, cause?: unknown): CommandError {
	return new CommandError(
		'PR_SNAPSHOT_UNUSABLE',
		`The snapshot cannot be used: ${reason}.`,
		'Nothing but whole reviews was taken. Push a new snapshot.',
		{ cause },
	);
}
