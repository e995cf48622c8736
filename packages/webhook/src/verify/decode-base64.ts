/**
 * The bytes of a base64 text, in its one correct form: standard alphabet, padded, no unused bits set. Several texts that
 * decode to the same bytes would be several valid signatures. `undefined` for anything else.
 */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
	if (text.length % 4 !== 0 || !BASE64.test(text)) return undefined;
	const binary = atob(text);
	if (btoa(binary) !== text) return undefined;
	return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
