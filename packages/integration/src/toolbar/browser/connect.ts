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
	/** Of the last message: answers to others are not for this page, or late. */
	let id = '';
	const send = (event: string, message: object) => {
		id = newId();
		server.send(event, { id, ...message });
	};
	server.on<PageAnswer>(EVENTS.answer, (answer) => {
		if (answer.id === id) onPage(answer.page);
	});
	server.on<RefetchAnswer>(EVENTS.refetched, (answer) => {
		if (answer.id === id) onRefetched();
	});
	return {
		ask: (markup) => send(EVENTS.ask, { path: location.pathname, markup }),
		refetch: (products) => send(EVENTS.refetch, { pids: products.map(({ pid }) => pid) }),
	};
}

/** Not `crypto.randomUUID`, which pages over plain http from another machine do not have. */
function newId(): string {
	return `${Date.now()}-${Math.random()}`;
}
