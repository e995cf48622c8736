import type { IncomingMessage } from 'node:http';
import type { ViteDevServer } from 'vite';
import { ISLANDS } from '../render/parts.js';
import type { DevPages } from '../session/start-dev.js';
import { askedPath } from './asked-path.js';

/** Records what each page of a dev server asks for, for the dev toolbar. */
export function recordPages({ middlewares }: Pick<ViteDevServer, 'middlewares'>, pages: DevPages): void {
	middlewares.use((request, response, next) => {
		const path = askedPath(request);
		const isPart = path.includes(ISLANDS);
		const { promise: closed, resolve } = Promise.withResolvers<void>();
		response.once('close', resolve);
		const answer = () => {
			next();
			return closed;
		};
		void pages.render(isPart ? pageOfIsland(request) : path, answer, isPart);
	});
}

function pageOfIsland({ headers: { referer = '' } }: IncomingMessage): string {
	return URL.parse(referer)?.pathname ?? '';
}
