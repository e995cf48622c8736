import type { CommandLine } from './read-command.js';
export async function snapshotCommand(_: CommandLine, __: unknown): Promise<string[]> {
	return [];
}
