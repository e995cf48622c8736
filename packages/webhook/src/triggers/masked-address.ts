/** A URL reduced to its host, for logs: the path of a deploy hook is secret. */
export function maskedAddress(address: string): string {
	const url = URL.parse(address);
	return url ? `${url.protocol}//${url.host}/…` : 'an invalid URL';
}
