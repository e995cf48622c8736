import type { Dependency } from '../pages/dependency.js';
import type { AggregateRating } from '../parse/record.js';
import { digestOf } from '../store/pack.js';
import { digestOfFragment, type FragmentOf } from './build-fragments.js';
import type { From, ProductData } from './product-data.js';

/** What pages depend on, as it is now. */
export interface Dependencies {
	/** A dependency on the current data of a product. */
	on(pid: string, from: From, more?: Pick<Dependency, 'request' | 'digest'>): Promise<Dependency>;
	/** Whether a page rendered now would still show the same. */
	isCurrent(dependency: Dependency): Promise<boolean>;
}

export function createDependencies(data: ProductData, fragmentOf: FragmentOf): Dependencies {
	return {
		on: async (pid, from, more) => ({ pid, from, version: await data.versionOf(from, pid), ...more }),
		async isCurrent({ pid, from, version, request, digest }) {
			if ((await data.versionOf(from, pid)) === version) return true;
			if (request) return digestOfFragment(await fragmentOf(pid, request, from)) === digest;
			return digest !== undefined && digestOfRating(await data.readRating(from, pid)) === digest;
		},
	};
}

/** A digest that changes exactly when a rating does. */
export function digestOfRating(rating: AggregateRating | undefined): string {
	return digestOf(JSON.stringify(rating ?? null));
}
