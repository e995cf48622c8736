import { createReadStream, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { CommandError } from '../errors.js';
import { describeCause } from '../failures/describe-failure.js';
import { size } from '../text/words.js';
import { misused, sayingProgress } from './terminal.js';

/** A transfer that stands still for so long has failed, in milliseconds. */
const LONGEST_SILENCE = 60_000;

/** The value of the header `Authorization` that is sent to a URL, such as `Bearer ...`. */
const AUTHORIZATION = 'REVIEWS_SNAPSHOT_AUTHORIZATION';

/** Where a snapshot is kept. */
export type Place = { readonly file: string } | { readonly url: URL };

/** Also a mistyped URL: as a path, it would be printed with its query. */
const LIKE_URL = /:\/\/|^\s*https?:/i;

const OWN_MACHINE = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Reads a path or a URL of the command line. @throws CommandError for a URL that cannot be used */
export function readPlace(text: string): Place {
	if (!LIKE_URL.test(text)) return { file: resolve(text) };
	const url = URL.parse(text);
	if (!url || !/^https?:$/.test(url.protocol)) {
		throw misused('The place of a snapshot is the path of a file, or a URL that begins with https://.');
	}
	if (url.username || url.password) {
		throw misused(
			`The URL must not contain a password. Set ${AUTHORIZATION} to the value of the header Authorization.`,
		);
	}
	// Pages show the contents of a snapshot, so nobody may change it on its way.
	if (url.protocol === 'http:' && !OWN_MACHINE.test(url.hostname)) {
		throw misused('The URL of a snapshot must begin with https://, except on this machine.');
	}
	return { url };
}

/** Sends a file with PUT. @throws CommandError if that fails */
export async function upload(file: string, url: URL): Promise<void> {
	const length = statSync(file).size;
	const transfer = watchTransfer();
	const body = Readable.from(transfer.watch(createReadStream(file)));
	try {
		const response = await send(url, {
			method: 'PUT',
			// Object stores refuse a body without a length.
			headers: { 'content-type': 'application/octet-stream', 'content-length': String(length) },
			body: Readable.toWeb(body) as ReadableStream,
			duplex: 'half',
			signal: transfer.signal,
		});
		await response.body?.cancel();
	} finally {
		transfer.end();
		body.destroy();
	}
}

/** Receives a file with GET. @throws CommandError if that fails, also while it is read */
export async function* download(url: URL): AsyncGenerator<Uint8Array, void, undefined> {
	const transfer = watchTransfer();
	try {
		const { body } = await send(url, { signal: transfer.signal });
		if (body) yield* transfer.watch(body);
	} catch (cause) {
		throw cause instanceof CommandError ? cause : failed('GET', url, describeCause(cause), cause);
	} finally {
		transfer.end();
	}
}

async function send(url: URL, init: RequestInit & { readonly duplex?: 'half' }): Promise<Response> {
	const { method = 'GET' } = init;
	const headers = { ...init.headers, ...authorization() };
	// Pages show the contents of a snapshot, so it must come from where the user says.
	const response = await fetch(url, { ...init, headers, redirect: 'error' }).catch((cause) => {
		throw failed(method, url, describeCause(cause), cause);
	});
	if (response.ok) return response;
	await response.body?.cancel();
	const { status, statusText } = response;
	if (method === 'GET' && status === 404) throw missing(`${url.origin}${url.pathname}`);
	throw failed(method, url, `the answer was ${[status, statusText].join(' ').trim()}.`);
}

function authorization(): Record<string, string> {
	const value = process.env[AUTHORIZATION]?.trim();
	if (!value) return {};
	if (/^[\x20-\x7e]+$/.test(value)) return { authorization: value };
	// The error of fetch() would repeat it.
	throw new CommandError(
		'PR_USAGE',
		`The variable ${AUTHORIZATION} is not the value of a header.`,
		'It must be one line of ASCII characters, such as "Bearer ...".',
	);
}

/** Aborts a transfer that stands still, and says how far others are. */
function watchTransfer() {
	const controller = new AbortController();
	const sayProgress = sayingProgress();
	const timer = setTimeout(() => {
		controller.abort(`nothing was transferred for ${LONGEST_SILENCE / 1_000} s.`);
	}, LONGEST_SILENCE);
	const onBytes = (bytes: number) => {
		timer.refresh();
		sayProgress(() => `${size(bytes)} transferred`);
	};
	return {
		signal: controller.signal,
		watch: (chunks: AsyncIterable<Uint8Array>) => countBytes(chunks, onBytes),
		end: () => clearTimeout(timer),
	};
}

/** Passes chunks on. @param onBytes called before each, with how many bytes there have been */
export async function* countBytes(
	chunks: AsyncIterable<Uint8Array>,
	onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
	let bytes = 0;
	for await (const chunk of chunks) {
		bytes += chunk.length;
		onBytes(bytes);
		yield chunk;
	}
}

/** @param place as a message may name it. */
export function missing(place: string, cause?: unknown): CommandError {
	return new CommandError(
		'PR_SNAPSHOT_MISSING',
		`There is no snapshot at ${place}.`,
		'"astro-product-reviews cache push" makes one. Until then, a build fetches what it needs.',
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
