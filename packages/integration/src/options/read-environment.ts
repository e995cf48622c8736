import { loadEnv } from 'vite';

/** The variables of this integration, from the process and from the project's `.env` files. The process comes first. */
export function readEnvironment(mode: string, folder: string): Record<string, string> {
	return loadEnv(mode, folder, 'REVIEWS_');
}
