import { bodyWasRead } from '../errors.js';

/**
 * Reads the body of a request as bytes. Stops and returns `undefined` if it is longer than allowed.
 * @throws WebhookConfigurationError if the body was already read.
 */
export async function readBody(
	request: Request,
	mostBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
	if (request.bodyUsed) throw bodyWasRead();
	const announced = Number(request.headers.get('content-length') ?? 0);
	if (announced > mostBytes) {
		await request.body?.cancel();
		return undefined;
	}
	const pieces: Uint8Array[] = [];
	let length = 0;
	const reader = request.body?.getReader();
	for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
		length += piece.value.length;
		if (length > mostBytes) {
			await reader?.cancel();
			return undefined;
		}
		pieces.push(piece.value);
	}
	const body = new Uint8Array(length);
	let at = 0;
	for (const piece of pieces) {
		body.set(piece, at);
		at += piece.length;
	}
	return body;
}
