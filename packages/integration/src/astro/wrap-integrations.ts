import type { AstroIntegration, AstroPrerenderer } from 'astro';

/** Which integration's prerenderer a build has. */
export interface WrappedIntegrations {
	/** The integration, such as an adapter, whose prerenderer renders the pages; `undefined` if it is Astro's own. */
	readonly owner: string | undefined;
}

/** What is done in the hooks of other integrations. */
export interface IntegrationWraps {
	/** Wraps every prerenderer that another integration sets. */
	prerenderer(prerenderer: AstroPrerenderer): AstroPrerenderer;
	/** Called when the last integration is done with the built files. */
	built(): void;
}

/**
 * Wraps hooks of other integrations. Astro keeps the last prerenderer that was set and does not reveal it, so the hooks
 * that may set one are called with our own `setPrerenderer`.
 * @param own name of the integration that sets none.
 */
export function wrapIntegrations(
	integrations: readonly AstroIntegration[],
	own: string,
	wraps: IntegrationWraps,
): WrappedIntegrations {
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
						wraps.prerenderer(typeof given === 'function' ? given(prerenderer) : given),
					);
				},
			});
	}
	const last = integrations.at(-1)?.hooks;
	const done = last?.['astro:build:done'];
	if (last) {
		last['astro:build:done'] = async (options) => {
			await done?.call(last, options);
			wraps.built();
		};
	}
	return wrapped;
}
