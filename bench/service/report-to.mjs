/** Sends a process's URL to its parent, and its processor time in response to every message. */
export function reportTo(process, url) {
	process.on('message', () => {
		const { user, system } = process.cpuUsage();
		process.send({ cpuSeconds: (user + system) / 1e6 });
	});
	process.on('disconnect', () => process.exit());
	process.send({ url });
}
