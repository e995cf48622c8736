import { describe, expect, test } from 'vitest';
import { serveToolbar } from '../../../src/astro/serve-toolbar.js';
import { NO_ANSWERS } from '../../../src/build/dev-answers.js';
import { createDevPages } from '../../../src/build/dev-pages.js';
import { EVENTS } from '../../../src/toolbar/messages.js';

const MARKUP = { scripts: [], microdata: [], isNoindex: false };

function createSetup() {
	const pages = createDevPages(Date.now);
	const renewed: (readonly string[])[] = [];
	const sent: { event: string; payload: unknown }[] = [];
	const handlers = new Map<string, (message: unknown) => void>();
	serveToolbar(
		{
			on: (event: string, handle: (message: never) => void) =>
				handlers.set(event, handle as (message: unknown) => void),
			send: (event: string, payload: unknown) => sent.push({ event, payload }),
			onAppInitialized: () => {},
			onAppToggled: () => {},
		},
		{ run: { pages, answers: { ...NO_ANSWERS, renew: (pids) => renewed.push(pids) } }, missing: [] },
	);
	const receive = (event: string, message: unknown) => handlers.get(event)?.(message);
	return { pages, renewed, sent, receive };
}

test('the answer to a question is about its page, and has its id', async () => {
	const { pages, sent, receive } = createSetup();
	await pages.render('/a', async () => pages.ask({ pid: 'p-1', from: 'reviews', version: undefined }));
	await pages.render('/b', async () => pages.ask({ pid: 'p-2', from: 'reviews', version: undefined }));
	receive(EVENTS.ask, { id: 'x', path: '/b', markup: MARKUP });
	expect(sent).toMatchObject([
		{ event: EVENTS.answer, payload: { id: 'x', page: { products: [{ pid: 'p-2' }] } } },
	]);
});

test('products are marked before the page is asked to reload', () => {
	const { renewed, sent, receive } = createSetup();
	receive(EVENTS.refetch, { id: 'y', pids: ['p-1', 'p-2'] });
	expect(renewed).toEqual([['p-1', 'p-2']]);
	expect(sent).toEqual([{ event: EVENTS.refetched, payload: { id: 'y' } }]);
});

describe('what is no message of the app is ignored', () => {
	test.each([
		undefined,
		null,
		'text',
		{},
		{ id: 1 },
		{ id: 'x', path: '/a', markup: {} },
		{ id: 'x', pids: [1] },
	])('%j', (message) => {
		const { renewed, sent, receive } = createSetup();
		receive(EVENTS.ask, message);
		receive(EVENTS.refetch, message);
		expect([renewed, sent]).toEqual([[], []]);
	});
});
