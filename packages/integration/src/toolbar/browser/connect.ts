import type { ToolbarServerHelpers } from 'astro';
import type { GivenMarkup } from '../../audit/markup.js';
import {
	EVENTS,
	type PageAnswer,
	type ProductRow,
	type RefetchAnswer,
	type ToolbarPage,
} from '../messages.js';

/** What the dev server sends. */
export interface ServerEvents {
	/** What is known of the page. */
	readonly onPage: (page: ToolbarPage) => void;
	/** The products are requested when the page is next rendered. */
	readonly onRefetched: () => void;
}

/** Talks to the dev server. */
export interface Connection {
	/** Asks what is known of the open page. */
	ask(markup: GivenMarkup): void;
	/** Asks for products to be requested again. */
	refetch(products: readonly ProductRow[]): void;
}

export function connect(server: ToolbarServerHelpers, { onPage, onRefetched }: ServerEvents): Connection {
	/** Ids of the last message of each kind: answers to others are not for this page, or late. */
	const last = { ask: '', refetch: '' };
	const send = (kind: keyof typeof last, message: object) => {
		last[kind] = newId();
		server.send(EVENTS[kind], { id: last[kind], ...message });
	};
	server.on<PageAnswer>(EVENTS.answer, ({ id, page }) => {
		if (id === last.ask) onPage(page);
	});
	server.on<RefetchAnswer>(EVENTS.refetched, ({ id }) => {
		if (id === last.refetch) onRefetched();
	});
	return {
		ask: (markup) => send('ask', { path: location.pathname, markup }),
		refetch: (products) => send('refetch', { pids: products.map(({ pid }) => pid) }),
	};
}

/** Not `crypto.randomUUID`, which pages over plain http from another machine do not have. */
function newId(): string {
	return `${Date.now()}-${Math.random()}`;
}
