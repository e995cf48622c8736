// What Cloudflare says a worker looks like, and the secrets as `wrangler types` writes them down.
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
