import { createRequire } from 'node:module';

/** The variables of this integration, from the process and from the project's `.env` files. The process takes precedence. */
export function readEnvironment(mode: string, folder: string): Record<string, string> {
	return astrosVite().loadEnv(mode, folder, 'REVIEWS_');
}

/** The Vite that Astro runs on. One of our own could be a different version. */
function astrosVite(): Pick<typeof import('vite'), 'loadEnv'> {
	const astro = createRequire(import.meta.url).resolve('astro/package.json');
	return createRequire(astro)('vite');
}
