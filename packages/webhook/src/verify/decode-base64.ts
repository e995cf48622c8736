/**
 * Decodes base64 in its canonical form only: standard alphabet, padded, no unused bits set. Otherwise several texts would
 * decode to the same bytes, and a signature would have several valid forms. Returns `undefined` for anything else.
 */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
	if (text.length % 4 !== 0 || !BASE64.test(text)) return undefined;
	const binary = atob(text);
	if (btoa(binary) !== text) return undefined;
	const bytes = new Uint8Array(binary.length);
	for (let index = 0; index < bytes.length; index += 1) bytes[index] = binary.charCodeAt(index);
	return bytes;
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
