// Builds one project after the other, on request. Its argument is the path of Astro's command line.
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

export interface BuildRequest {
	readonly root: string;
	readonly environment: NodeJS.ProcessEnv;
	/** Printed to both streams when it ended. */
	readonly endOfOutput: string;
}

const OF_PROJECT = /^file:(?!.*\/node_modules\/(?!astro-product-reviews\/|product-reviews-))/;

let builds = 0;

// A build gets its own instances of what a project and our packages hold, as in a process of its own.
registerHooks({
	resolve(specifier, context, nextResolve) {
		const resolved = nextResolve(specifier, context);
		if (resolved.format === 'commonjs' || !OF_PROJECT.test(resolved.url)) return resolved;
		const url = new URL(resolved.url);
		url.searchParams.set('build', String(builds));
		return { ...resolved, url: url.href };
	},
});

const { cli } = await import(pathToFileURL(String(process.argv[2])).href);

process.on('disconnect', () => process.exit());
process.on('message', async ({ root, environment, endOfOutput }: BuildRequest) => {
	builds++;
	process.chdir(root);
	for (const name of Object.keys(process.env)) delete process.env[name];
	Object.assign(process.env, environment);
	// Of an earlier build, if something set it after its end.
	process.exitCode = undefined;
	const listeners = new Map(process.eventNames().map((name) => [name, process.listeners(name as 'exit')]));
	// What fails ends this process, as it does a terminal's.
	await cli([process.execPath, 'astro', 'build']);
	if (process.exitCode) process.exit();
	for (const name of process.eventNames()) {
		for (const listener of process.listeners(name as 'exit')) {
			if (listeners.get(name)?.includes(listener)) continue;
			process.removeListener(name, listener);
			if (name === 'exit') listener(0);
		}
	}
	for (const name of Reflect.ownKeys(globalThis)) {
		if (String(name).startsWith('Symbol(astro-product-reviews.')) Reflect.deleteProperty(globalThis, name);
	}
	process.stdout.write(endOfOutput);
	process.stderr.write(endOfOutput);
});
