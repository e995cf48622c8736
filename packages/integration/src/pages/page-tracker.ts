import { AsyncLocalStorage } from 'node:async_hooks';
import type { Dependency } from '../cache/page-store.js';
import type { ProductFacts } from '../render/fragment.js';
import { NO_PAGE } from './page-source.js';

export interface PageRecording {
	/** Path of its address, in readable form; {@link UNKNOWN_PAGE} for calls that did not say for which page they are. */
	readonly address: string;
	readonly facts: ProductFacts[];
	readonly dependencies: Dependency[];
	waiting: number;
	isActive: boolean;
}

/** The address of whatever calls without `Astro`: any page may show it. */
export const UNKNOWN_PAGE = '?';

/**
 * Collects what pages show. A page is known by the address that its components and calls pass, and, where this process
 * renders it with {@link PageRecorder.record}, also by the call being a part of that.
 */
export class PageRecorder {
	readonly #rendering = new AsyncLocalStorage<PageRecording>();
	readonly #open = new Map<string, PageRecording>();

	of(address = UNKNOWN_PAGE): PageRecording {
		if (address === NO_PAGE) return newRecording(address);
		const page = this.#rendering.getStore() ?? this.#open.get(address) ?? this.#begin(address);
		page.isActive = true;
		return page;
	}

	/** Renders a page, and records all that is asked for meanwhile. Pages may be rendered concurrently. */
	async record<Result>(
		address: string,
		render: () => Promise<Result>,
	): Promise<{ readonly result: Result; readonly page: PageRecording }> {
		const page = this.#begin(address);
		try {
			return { result: await this.#rendering.run(page, render), page };
		} finally {
			if (this.#open.get(address) === page) this.#open.delete(address);
		}
	}

	takeIdle(): PageRecording[] {
		const pages = [...this.#open.values()];
		const idle = pages.filter(({ isActive, waiting }) => !isActive && waiting === 0);
		for (const page of pages) page.isActive = false;
		for (const { address } of idle) this.#open.delete(address);
		return idle;
	}

	takeAll(): PageRecording[] {
		const pages = [...this.#open.values()];
		this.#open.clear();
		return pages;
	}

	#begin(address: string): PageRecording {
		const page = newRecording(address);
		this.#open.set(address, page);
		return page;
	}
}

function newRecording(address: string): PageRecording {
	return { address, facts: [], dependencies: [], waiting: 0, isActive: true };
}
