import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { CommandError } from '../../errors.js';
import { describeCause } from '../../failures/describe-failure.js';
import { counted, type ProgressContext } from './byte-progress.js';
import { AUTHORIZATION } from './place.js';

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
