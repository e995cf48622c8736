import { spawn } from 'node:child_process';

/**
 * Runs JavaScript commands of `node_modules` beside each other, and prints of each what it said when it has ended.
 * @param commands each a title and a file with its arguments.
 * @returns whether all ended well.
 */
export async function runAll(commands) {
	console.log(`\n${commands.map(([title]) => title).join('; ')} ...`);
	const results = await Promise.all(commands.map(runOne));
	return results.every(Boolean);
}

function runOne([title, file, ...args]) {
	const child = spawn(process.execPath, [file, ...args], {
		stdio: ['ignore', 'pipe', 'pipe'],
		env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' },
	});
	let said = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (text) => {
			said += text;
		});
	}
	return new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('close', (status) => {
			console.log(`\n${title}: ${status === 0 ? 'clean' : 'FAILED'}\n${said.trim()}`.trimEnd());
			resolve(status === 0);
		});
	});
}
