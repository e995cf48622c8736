import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import {
	type Astro,
	type AstroProject,
	type AstroResult,
	CHEAPER,
	cleanEnvironment,
	runAstro,
} from './astro.ts';
import type { BuildRequest } from './astro-builder-process.ts';
import { type NodeProgram, runNode } from './node-program.ts';

const PROGRAM = fileURLToPath(new URL('./astro-builder-process.ts', import.meta.url));

/** What no program prints. */
const END_OF_OUTPUT = '\u0004';

/** A process keeps the modules of all its builds, about 30 MB each. */
const BUILDS_OF_A_PROCESS = 12;

interface Builder extends NodeProgram {
	builds: number;
}

/**
 * Returns a function that runs `astro build` to its end, in a process that may have built before: Astro and Vite are loaded
 * only once, which is most of what a small build takes. What a project and our packages hold in memory is new for each
 * build. Builds that fail end their process, builds at the same time have one each, and options of Node get a process of
 * their own.
 */
export function createAstroBuilder(astro: Astro): (project: AstroProject) => Promise<AstroResult> {
	/** Those that wait for their next build. They end with the process that started them. */
	const idle: Builder[] = [];
	return async (project) => {
		if (project.environment?.['NODE_OPTIONS']) return runAstro(astro, ['build'], project);
		const builder = idle.pop() ?? startBuilder(astro);
		const { child, output } = builder;
		const before = output().length;
		const status = await build(builder, project);
		builder.builds++;
		if (status === 0 && builder.builds < BUILDS_OF_A_PROCESS) idle.push(builder);
		else if (child.connected) child.disconnect();
		return {
			status: typeof status === 'number' ? status : null,
			output: output().slice(before).replaceAll(END_OF_OUTPUT, ''),
		};
	};
}

function startBuilder({ root }: Astro): Builder {
	const program = runNode([...CHEAPER, PROGRAM, join(root, 'dist/cli/index.js')], {
		env: cleanEnvironment(),
		stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
	});
	return { ...program, builds: 0 };
}

/** @returns the status of the build, or the signal that ended its process */
async function build({ child, ended }: Builder, { root, environment }: AstroProject) {
	const finished = Promise.all([endOf(child.stdout), endOf(child.stderr)]);
	const request: BuildRequest = {
		root,
		environment: { ...cleanEnvironment(), ...environment },
		endOfOutput: END_OF_OUTPUT,
	};
	child.send(request);
	return Promise.race([ended, finished.then(() => 0)]);
}

async function endOf(stream: Readable | null): Promise<void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	const look = (text: string) => {
		if (!text.endsWith(END_OF_OUTPUT)) return;
		stream?.off('data', look);
		resolve();
	};
	stream?.on('data', look);
	return promise;
}
