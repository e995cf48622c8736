import type { AstroIntegration } from 'astro';

/**
 * The name of an integration, such as an adapter, that brings a prerenderer of its own. Astro keeps the last one that is
 * set and tells nobody of the one before, so that it must be known beforehand.
 */
export function bringsPrerenderer(
	integrations: readonly AstroIntegration[],
	own: string,
): string | undefined {
	return integrations.find(
		({ name, hooks }) => name !== own && /\bsetPrerenderer\b/.test(String(hooks['astro:build:start'] ?? '')),
	)?.name;
}
