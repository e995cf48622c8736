import {
	INTERNAL_MODULE_ID,
	PUBLIC_MODULE_ID,
	STORAGE_DRIVER_ID,
	STORE_ADDRESS,
	WEBHOOK_MODULE_ID,
} from '../constants.js';
import type { LiveSettings } from '../on-demand/live-settings.js';
import type { WebhookSettings } from '../options/webhook.js';
import { COMPONENT_FUNCTIONS, PUBLIC_FUNCTIONS } from '../runtime/functions.js';
import type { RuntimeSettings } from '../runtime/page-source.js';

/** Settings for only some of the modules. */
export interface ModuleSettings {
	/** For the endpoint that receives events. */
	readonly webhook?: WebhookSettings | undefined;
	/** For the server that renders pages on demand; `undefined` for prerendered pages. */
	readonly live?: LiveSettings | undefined;
	/** Address of the build or dev server that renders the pages; `undefined` if there is none. */
	readonly build?: string | undefined;
}

/** The sources of the virtual modules by id. They contain only settings, as JSON, and imports. */
export function virtualModules(
	settings: RuntimeSettings,
	{ webhook, live, build }: ModuleSettings = {},
): Record<string, string> {
	const environment = live?.storage
		? '{ getSecret, storage: { openSharedStorage, createDriver } }'
		: '{ getSecret }';
	const place = live
		? `{ createLiveSource: () => createLiveSource(${JSON.stringify(live)}, ${environment}) }`
		: JSON.stringify({ build });
	return {
		[INTERNAL_MODULE_ID]: `import { createRuntime } from 'astro-product-reviews/runtime';
${live ? LIVE_IMPORTS : ''}${live?.storage ? STORAGE_IMPORTS : ''}export const { ${[...PUBLIC_FUNCTIONS, ...COMPONENT_FUNCTIONS].join(', ')} } = createRuntime(${JSON.stringify(settings)}, ${place});
`,
		[PUBLIC_MODULE_ID]: `export { ${PUBLIC_FUNCTIONS.join(', ')} } from '${INTERNAL_MODULE_ID}';
`,
		[WEBHOOK_MODULE_ID]: `export const settings = ${JSON.stringify(webhook)};
export const locateStore = ${webhook?.publish ? `() => new URL('${STORE_ADDRESS}', import.meta.url)` : undefined};
`,
	};
}

const LIVE_IMPORTS = `import { createLiveSource } from 'astro-product-reviews/live';
import { getSecret } from 'astro:env/server';
`;

const STORAGE_IMPORTS = `import { openSharedStorage } from 'astro-product-reviews/shared-storage';
import createDriver from '${STORAGE_DRIVER_ID}';
`;
