import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** Identifies the service and the store's account there without revealing either. It stays the same from build to build. */
export function accountOf(baseUrl: string, wsid: string): string {
	const origin = URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl;
	return bytesToHex(sha256(utf8ToBytes(JSON.stringify([origin, wsid])))).slice(0, 16);
}
