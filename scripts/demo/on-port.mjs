/**
 * Starts a server on its usual port, or on a free one if that port is in use.
 *
 * @template Started
 * @param {number} port
 * @param {(port: number) => Promise<Started>} start
 */
export async function onPort(port, start) {
	try {
		return await start(port);
	} catch {
		return await start(0);
	}
}
