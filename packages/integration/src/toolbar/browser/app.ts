import type { DevToolbarApp } from 'astro';
import { defineToolbarApp } from 'astro/toolbar';
import type { ToolbarPage } from '../messages.js';
import { connect } from './connect.js';
import { isRemembered, KEYS, remember } from './memory.js';
import { createOutlines } from './outlines.js';
import { readMarkup } from './read-markup.js';
import { createView } from './view.js';

/** The app in Astro's dev toolbar. It shows what the dev server knows of the open page. */
const app: DevToolbarApp = defineToolbarApp({
	init(canvas, events, server) {
		const outlines = createOutlines(canvas);
		const view = createView(canvas, {
			onRefetch(products) {
				view.say('Requesting again. The page reloads.');
				connection.refetch(products);
			},
			onOutlines(isOn) {
				remember(KEYS.outlines, isOn);
				showOutlines();
			},
		});
		const connection = connect(server, { onPage: show, onRefetched: reload });
		let isOpen = false;

		function show(page: ToolbarPage): void {
			view.show(page, readMarkup().scripts);
			events.toggleNotification(page.alarm ? { state: true, level: page.alarm } : { state: false });
		}

		function showOutlines(): void {
			const isShown = isOpen && isRemembered(KEYS.outlines);
			view.say(isShown ? outlines.show() : '');
			if (!isShown) outlines.hide();
		}

		function showAll(): void {
			connection.ask(readMarkup());
			showOutlines();
		}

		events.onToggled(({ state }) => {
			isOpen = state;
			showAll();
		});
		events.onToolbarPlacementUpdated(({ placement }) => {
			view.window.placement = placement;
		});
		// With view transitions, the next page comes without a load.
		document.addEventListener('astro:page-load', showAll);

		view.setOutlines(isRemembered(KEYS.outlines));
		showAll();
		if (isRemembered(KEYS.reopen)) {
			remember(KEYS.reopen, false);
			events.toggleState({ state: true });
			view.focus();
		}
	},
});

export default app;

function reload(): void {
	remember(KEYS.reopen, true);
	location.reload();
}
