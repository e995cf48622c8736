import { PageRecorder } from '../../../src/pages/build-pages.js';
import { createBuildSource, type ProductContext } from '../../../src/pages/build-source.js';
import { createRepositories, type RepositoriesContext } from '../../../src/project/open-reviews.js';
import { DEFAULT_MAX_AGE } from '../../../src/reviews/freshness.js';
import { renderOptions } from './record.js';

type Given = 'revalidation' | 'hasRatings' | 'listed';

/** What a session is made of; what is left out is as a build has it that checks nothing but age, and has no list. */
export interface SessionContext
	extends Omit<RepositoriesContext, Given>,
		Partial<Pick<RepositoriesContext, Given>> {
	readonly pages?: Pick<PageRecorder, 'of'>;
	readonly shop?: ProductContext['shop'];
}

/** The reviews of a build or a dev server without its effects: a source over a service and a store of the test. */
export function createSession(context: SessionContext) {
	const { options, pages = new PageRecorder(), shop } = context;
	const repositories = createRepositories({
		revalidation: { maxAge: options.maxAge ?? DEFAULT_MAX_AGE, checked: undefined },
		hasRatings: false,
		listed: undefined,
		...context,
	});
	const { store } = context;
	const source = createBuildSource({ ...repositories, store, settings: renderOptions(), pages, shop });
	return { ...repositories, source, refresh: (pid: string) => repositories.reviews.refresh(pid) };
}
