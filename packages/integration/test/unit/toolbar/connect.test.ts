import type { ToolbarServerHelpers } from 'astro';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connect } from '../../../src/toolbar/browser/connect.js';
import { EVENTS } from '../../../src/toolbar/messages.js';

const PAGE = { setup: [], products: [], rules: [], alarm: undefined };
const MARKUP = { scripts: [], microdata: [], isNoindex: false };

beforeAll(() => void vi.stubGlobal('location', { pathname: '/kettle' }));
afterAll(() => void vi.unstubAllGlobals());

/** A connection to a server that answers when the test says so. */
function setup() {
	const sent: { id: string }[] = [];
	const listeners = new Map<string, (answer: object) => void>();
	const server = {
		send: (_event, message) => void sent.push(message as { id: string }),
		on: (event, listener) => void listeners.set(event, listener as (answer: object) => void),
	} as ToolbarServerHelpers;
	const done: string[] = [];
	const connection = connect(server, {
		onPage: () => done.push('page'),
		onRefetched: () => done.push('refetched'),
	});
	return {
		...connection,
		done,
		idOf: (index: number) => sent[index]?.id,
		receive: (event: string, answer: object) => listeners.get(event)?.(answer),
	};
}

test('only the answer to the last question counts: it is about what the page shows now', () => {
	const { ask, idOf, receive, done } = setup();
	ask(MARKUP);
	ask(MARKUP);
	receive(EVENTS.answer, { id: idOf(0), page: PAGE });
	expect(done).toEqual([]);
	receive(EVENTS.answer, { id: idOf(1), page: PAGE });
	expect(done).toEqual(['page']);
});

test('a question that comes between does not lose the answer to a refetch', () => {
	const { ask, refetch, idOf, receive, done } = setup();
	refetch([]);
	ask(MARKUP);
	receive(EVENTS.refetched, { id: idOf(0) });
	expect(done).toEqual(['refetched']);
});

test('answers to other pages are theirs', () => {
	const [one, other] = [setup(), setup()];
	for (const page of [one, other]) {
		page.ask(MARKUP);
		page.refetch([]);
	}
	one.receive(EVENTS.answer, { id: other.idOf(0), page: PAGE });
	one.receive(EVENTS.refetched, { id: other.idOf(1) });
	expect(one.done).toEqual([]);
});
