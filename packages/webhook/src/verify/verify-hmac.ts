/** Whether the signature is the HMAC-SHA256 of the content under the secret; compared in constant time. */
export type VerifyHmac = (
	secret: Uint8Array<ArrayBuffer>,
	signature: Uint8Array<ArrayBuffer>,
	content: Uint8Array<ArrayBuffer>,
) => boolean | Promise<boolean>;

const keys = new WeakMap<Uint8Array, Promise<CryptoKey>>();

/** Uses WebCrypto, which every platform has. */
export const verifyHmac: VerifyHmac = async (secret, signature, content) => {
	let key = keys.get(secret);
	if (!key) {
		key = crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
		keys.set(secret, key);
	}
	return crypto.subtle.verify('HMAC', await key, signature, content);
};
