/** A step, and the seconds that it took. */
export interface Step {
	readonly name: string;
	readonly seconds: number;
}

export interface StrangerOptions {
	readonly folder: string;
	readonly manager: 'npm' | 'pnpm' | 'yarn';
	readonly tarballs: Readonly<Record<string, string>>;
	readonly registry: string;
	readonly ownRegistry?: string | undefined;
	readonly service: { readonly url: string; readonly wsid: string };
}

/** Does what somebody does who never saw this project. */
export function tryAsStranger(
	options: StrangerOptions,
): Promise<{ readonly steps: readonly Step[]; readonly log: string; readonly page: string }>;

/** The steps as lines, each with its seconds. */
export function describeSteps(steps: readonly Step[]): string[];
