import type { AstroIntegration, AstroPrerenderer } from 'astro';

/** Which integration's prerenderer a build has. */
export interface WrappedPrerenderers {
	/** The integration, such as an adapter, whose prerenderer renders the pages; `undefined` if it is Astro's own. */
	readonly owner: string | undefined;
}

/**
 * Wraps every prerenderer that another integration sets. Astro keeps the last one that was set and does not reveal it, so
 * the integrations' hooks are called with our own `setPrerenderer`.
 * @param own name of the integration to skip.
 */
export function wrapPrerenderers(
	integrations: readonly AstroIntegration[],
	own: string,
	wrap: (prerenderer: AstroPrerenderer) => AstroPrerenderer,
): WrappedPrerenderers {
	const wrapped: { owner: string | undefined } = { owner: undefined };
	for (const { name, hooks } of integrations) {
		const start = hooks['astro:build:start'];
		if (name === own || !start) continue;
		hooks['astro:build:start'] = (options) =>
			start.call(hooks, {
				...options,
				setPrerenderer(given) {
					wrapped.owner = name;
					options.setPrerenderer((prerenderer) =>
						wrap(typeof given === 'function' ? given(prerenderer) : given),
					);
				},
			});
	}
	return wrapped;
}
