// Checks the example against Cloudflare's own types. Declares the secrets as `wrangler types` would.
import worker from './worker.js';

declare global {
	namespace Cloudflare {
		interface Env {
			readonly REVIEWS_WEBHOOK_SECRET: string;
			readonly DEPLOY_HOOK_URL: string;
		}
	}
}

worker satisfies ExportedHandler;
