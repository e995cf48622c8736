import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import {
	type Astro,
	type AstroProject,
	type AstroResult,
	CHEAPER,
	cleanEnvironment,
	startAstro,
} from 'product-reviews-test-support/astro';
import { type NodeProgram, runNode } from 'product-reviews-test-support/node-program';
import type { BuildRequest } from './astro-builder-process.js';

const PROGRAM = fileURLToPath(new URL('./astro-builder-process.ts', import.meta.url));

const END_OF_OUTPUT = '\u0004';

/** A process keeps the modules of all its builds, about 30 MB each. */
const BUILDS_OF_A_PROCESS = 20;

/** In milliseconds: less than any test has, so that a test fails with the output of its build. */
const LONGEST_BUILD = 100_000;

interface Builder extends NodeProgram {
	builds: number;
}

type Status = Awaited<NodeProgram['ended']>;

/**
 * Returns a function that runs `astro build` to its end, in a process that may have built before: Astro and Vite are loaded
 * only once, which is most of what a small build takes. What a project and our packages hold in memory is new for each
 * build. Builds that fail end their process, builds at the same time have one each, and options of Node get a process of
 * their own. It throws an error with what was printed if a build does not end: its process is killed then.
 */
export function createAstroBuilder(astro: Astro): (project: AstroProject) => Promise<AstroResult> {
	const idle: Builder[] = [];
	return async (project) => {
		if (project.environment?.['NODE_OPTIONS']) {
			const alone = startAstro(astro, ['build'], project);
			return resultOf(alone.ended, alone, alone.output);
		}
		// What an earlier build left behind may have ended its process since.
		const at = idle.findLastIndex(({ child }) => child.connected);
		const builder = at < 0 ? startBuilder(astro) : (idle.splice(at, 1)[0] as Builder);
		const { child, output } = builder;
		const before = output().length;
		const printed = () => output().slice(before).replaceAll(END_OF_OUTPUT, '');
		const result = await resultOf(build(builder, project), builder, printed);
		builder.builds++;
		if (result.status === 0 && builder.builds < BUILDS_OF_A_PROCESS) idle.push(builder);
		else if (child.connected) child.disconnect();
		return result;
	};
}

function startBuilder({ root }: Astro): Builder {
	const program = runNode([...CHEAPER, PROGRAM, join(root, 'dist/cli/index.js')], {
		env: cleanEnvironment(),
		stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
	});
	return { ...program, builds: 0 };
}

async function resultOf(
	status: Promise<Status>,
	{ end }: NodeProgram,
	printed: () => string,
): Promise<AstroResult> {
	const late = Promise.withResolvers<never>();
	const timer = setTimeout(() => {
		const problem = `\`astro build\` did not end within ${LONGEST_BUILD} ms. It printed:\n${printed()}`;
		late.reject(new Error(problem));
		void end('SIGKILL');
	}, LONGEST_BUILD);
	const ended = await Promise.race([status, late.promise]).finally(() => clearTimeout(timer));
	return { status: typeof ended === 'number' ? ended : null, output: printed() };
}

async function build({ child, ended }: Builder, { root, environment }: AstroProject): Promise<Status> {
	const finished = Promise.all([endOf(child.stdout), endOf(child.stderr)]);
	const whole = { ...cleanEnvironment(), ...environment };
	child.send({ root, environment: whole, endOfOutput: END_OF_OUTPUT } satisfies BuildRequest);
	return Promise.race([ended, finished.then(() => 0)]);
}

/** Resolves when a build is at its end. What it left behind may print more, and both may come at once. */
async function endOf(stream: Readable | null): Promise<void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	const look = (text: string) => {
		if (!text.includes(END_OF_OUTPUT)) return;
		stream?.off('data', look);
		resolve();
	};
	stream?.on('data', look);
	return promise;
}
