/** Runs a command in a folder, without what this process was started with, and returns what it printed. */
export function runCommand(
	command: readonly string[],
	options: { readonly cwd: string; readonly environment?: Readonly<Record<string, string>> },
): Promise<string>;
