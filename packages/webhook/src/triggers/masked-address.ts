/** An address for a log: its host only. The path of a deploy hook is its secret. */
export function maskedAddress(address: string): string {
	const url = URL.parse(address);
	return url ? `${url.protocol}//${url.host}/…` : 'an address that cannot be read';
}
