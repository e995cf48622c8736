import { spawnSync } from 'node:child_process';

/**
 * Runs a JavaScript command of `node_modules` and says what it is doing.
 * @returns whether it ended well.
 */
export function run(title, file, ...args) {
	console.log(`\n${title}`);
	const { status } = spawnSync(process.execPath, [file, ...args], {
		stdio: 'inherit',
		env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' },
	});
	return status === 0;
}
