/**
 * Waits for a number of milliseconds. The timer is cleared when the signal aborts, so that it does not keep the process
 * alive.
 *
 * @throws the signal's reason when it aborts.
 */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		if (signal.aborted) {
			reject(signal.reason);
			return;
		}
		const timer = setTimeout(() => {
			signal.removeEventListener('abort', onAbort);
			resolve();
		}, milliseconds);
		function onAbort() {
			clearTimeout(timer);
			reject(signal.reason);
		}
		signal.addEventListener('abort', onAbort, { once: true });
	});
}
