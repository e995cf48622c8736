import { BlockList, isIP } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * Whether a URL refers to this machine by its text alone: `localhost`, 127.0.0.0/8 or `[::1]`. Other names never count,
 * because they could resolve to another machine by the time of sending.
 */
export function isLoopback(url: string): boolean {
	// The URL parser has already normalised other notations of IPv4 addresses, such as 2130706433 and 0x7f.1.
	const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
	const version = isIP(host);
	if (version === 0) return host === 'localhost';
	return LOOPBACK.check(host, version === 4 ? 'ipv4' : 'ipv6');
}
