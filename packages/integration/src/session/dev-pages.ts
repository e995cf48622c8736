import QuickLRU from 'quick-lru';
import { createPageRecorder, type PageRecorder, type RecordedPage } from '../pages/create-page-recorder.js';
import { readablePath } from '../pages/name-page.js';

/** What a page showed when it was last rendered. */
export interface DevPage extends Pick<RecordedPage, 'facts'> {
	/** When its rendering began, in milliseconds since 1970. */
	readonly startedAt: number;
	/** What it asked for, in order. */
	readonly asked: RecordedPage['dependencies'];
}

/** The pages of a dev server, as they were last rendered. */
export interface DevPages extends Pick<PageRecorder, 'place' | 'runOn'> {
	/**
	 * Answers a request and keeps what it asked for, if anything.
	 * @param path of the page's address.
	 * @param isPart whether this renders a part of a page that is already there, such as a server island.
	 */
	render(path: string, answer: () => Promise<void>, isPart?: boolean): Promise<void>;
	/** Records what the page being rendered asks for. */
	readonly ask: PageRecorder['depend'];
	/** @param path of the page's address. */
	get(path: string): DevPage | undefined;
}

/** Number of pages that are kept. */
const MOST_PAGES = 200;

/** @param now milliseconds since 1970. */
export function createDevPages(now: () => number): DevPages {
	const recorder = createPageRecorder();
	const pages = new QuickLRU<string, DevPage>({ maxSize: MOST_PAGES });
	return {
		async render(path, answer, isPart = false) {
			const address = readablePath(path);
			const startedAt = now();
			const { facts, dependencies: asked } = (await recorder.record(address, answer)).page;
			const before = pages.get(address);
			// Most requests are for files, which ask for nothing.
			if (asked.length === 0 && facts.length === 0 && (isPart || !before)) return;
			const rest = isPart ? before : undefined;
			pages.set(address, {
				startedAt: rest?.startedAt ?? startedAt,
				facts: [...(rest?.facts ?? []), ...facts],
				asked: [...(rest?.asked ?? []), ...asked],
			});
		},
		ask: recorder.depend,
		place: recorder.place,
		runOn: (path, run) => recorder.runOn(path === undefined ? undefined : readablePath(path), run),
		get: (path) => pages.get(readablePath(path)),
	};
}
