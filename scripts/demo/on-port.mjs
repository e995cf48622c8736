/**
 * Starts something on its usual port, or on any free one where somebody else has it.
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
