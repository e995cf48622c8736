import type { AstroIntegration, AstroPrerenderer } from 'astro';

/** Tells which prerenderer of other integrations a build has. */
export interface WrappedPrerenderers {
	/** The integration, such as an adapter, whose prerenderer renders the pages; `undefined` where it is Astro's own. */
	readonly owner: string | undefined;
}

/**
 * Puts `wrap` around every prerenderer that another integration sets. Astro keeps the last one that is set and says to
 * nobody which that was, so their hooks are called with a `setPrerenderer` of ours.
 * @param own name of the integration that is left as it is.
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
