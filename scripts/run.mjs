import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/**
 * Runs Node scripts in parallel, and prints the output of each when it has ended.
 * @param commands each with a title, a file and its arguments.
 * @returns whether all succeeded.
 */
export async function runAll(commands) {
	console.log(`\n${commands.map(([title]) => title).join('; ')} ...`);
	const results = await Promise.all(commands.map(runOne));
	return results.every(Boolean);
}

async function runOne([title, file, ...args]) {
	const child = spawn(process.execPath, [file, ...args], {
		stdio: ['ignore', 'pipe', 'pipe'],
		env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' },
	});
	const [[status], said, complained] = await Promise.all([
		once(child, 'close'),
		text(child.stdout),
		text(child.stderr),
	]);
	console.log(`\n${title}: ${status === 0 ? 'clean' : 'FAILED'}\n${`${said}${complained}`.trim()}`.trimEnd());
	return status === 0;
}
