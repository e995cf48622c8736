/** Tells the parent of a process where it listens, and what processor time it has used whenever it is asked. */
export function reportTo(process, url) {
	process.on('message', () => {
		const { user, system } = process.cpuUsage();
		process.send({ cpuSeconds: (user + system) / 1e6 });
	});
	process.on('disconnect', () => process.exit());
	process.send({ url });
}
