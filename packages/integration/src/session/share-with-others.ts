import type { OpenBuildStorage } from './open-build-storage.js';
import type { RunContext } from './run-context.js';

/** Opens the storage that builds share; `undefined` without the option `storage`, of which nothing is loaded then. */
export async function shareWithOthers({
	storage,
	...context
}: Pick<RunContext, 'storage' | 'connection' | 'options' | 'logger'>): Promise<OpenBuildStorage | undefined> {
	if (!storage) return undefined;
	const { openBuildStorage } = await import('./open-build-storage.js');
	return openBuildStorage(storage, context);
}
