import type { ToolbarServerHelpers } from 'astro';
import { expect, test, vi } from 'vitest';
import { connect } from '../../../src/toolbar/browser/app.js';
import { EVENTS } from '../../../src/toolbar/messages.js';

const MARKUP = { scripts: [], microdata: [], isNoindex: false };

test('only the answer to the last question of a page counts, and a question loses no answer to a refetch', () => {
	vi.stubGlobal('location', { pathname: '/kettle' });
	/** A page of the browser, connected to a server that answers when the test says so. */
	function openPage() {
		const sent: { id: string }[] = [];
		const listeners = new Map<string, (answer: object) => void>();
		const server = {
			send: (_event, message) => void sent.push(message as { id: string }),
			on: (event, listener) => void listeners.set(event, listener as (answer: object) => void),
		} as ToolbarServerHelpers;
		const done: string[] = [];
		const onPage = () => done.push('page');
		const { ask, refetch } = connect(server, { onPage, onRefetched: () => done.push('refetched') });
		ask(MARKUP);
		refetch([]);
		ask(MARKUP);
		const receive = (event: 'answer' | 'refetched', id = '') => listeners.get(EVENTS[event])?.({ id });
		return { done, receive, ids: sent.map(({ id }) => id) };
	}
	try {
		const [{ done, receive, ids }, other] = [openPage(), openPage()];
		receive('answer', ids[0]);
		receive('answer', other.ids[2]);
		receive('refetched', other.ids[1]);
		expect(done).toEqual([]);
		receive('refetched', ids[1]);
		receive('answer', ids[2]);
		expect(done).toEqual(['refetched', 'page']);
	} finally {
		vi.unstubAllGlobals();
	}
});
