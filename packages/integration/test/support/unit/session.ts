import { createBuildSource } from '../../../src/build/build-source.js';
import { createResources, type ResourcesContext } from '../../../src/build/create-resources.js';
import type { FinishedPieces } from '../../../src/build/finished-pieces.js';
import type { ProductOrder } from '../../../src/build/open-product-list.js';
import { DEFAULT_MAX_AGE } from '../../../src/cache/start-revalidation.js';
import { judgeFailures } from '../../../src/failures/judge-failures.js';
import { unavailable } from '../../../src/failures/unavailable.js';
import type { Dependency } from '../../../src/pages/dependency.js';
import type { Fragment } from '../../../src/render/fragment.js';
import { renderOptions } from './record.js';

/** What a session is made of; what is left out is as a build has it that checks nothing but age. */
export interface SessionContext
	extends Omit<ResourcesContext, 'maxAge' | 'isOutdated' | 'checked' | 'hasToken' | 'hasList'>,
		Partial<Pick<ResourcesContext, 'maxAge' | 'isOutdated' | 'checked' | 'hasToken'>> {
	readonly listed?: ProductOrder;
	readonly finished?: FinishedPieces;
	readonly depend?: (dependency: Dependency) => void;
}

/** The reviews of a build or a dev server without its effects: a source over a service and a store of the test. */
export function createSession(context: SessionContext) {
	const { options, outcomes, listed, finished, depend } = context;
	const resources = createResources({
		maxAge: () => options.maxAge ?? DEFAULT_MAX_AGE,
		isOutdated: () => false,
		checked: undefined,
		hasToken: false,
		...context,
		hasList: listed !== undefined,
	});
	const source = createBuildSource({
		...resources,
		store: context.store,
		settings: renderOptions(),
		listed,
		finished,
		depend,
		...(depend && {
			show: (dependency: Dependency, fragment: Fragment) => {
				depend(dependency);
				return fragment;
			},
		}),
	});
	return {
		...resources,
		source,
		refresh: resources.reviews.refresh,
		assertWhole() {
			source.assertGoing();
			const { ending } = judgeFailures(outcomes, options.onError);
			if (ending.length > 0) throw unavailable(ending, outcomes, undefined);
		},
	};
}
