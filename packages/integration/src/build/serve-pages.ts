import { randomBytes } from 'node:crypto';
import { createPageRecorder } from '../pages/create-page-recorder.js';
import { createMarks } from '../pages/marks.js';
import { readablePath } from '../pages/name-page.js';
import { createPageKeys, type PageKeys } from '../pages/page-keys.js';
import type { StoredPage } from '../pages/stored-page.js';
import { reviewSources } from '../runtime/source.js';
import { type BuildAudit, startAudit } from './build-audit.js';
import { type BuildPages, createBuildPages } from './build-pages.js';
import { type BuildSource, createBuildSource } from './build-source.js';
import { createFinishedPieces } from './finished-pieces.js';
import { followPages } from './follow-pages.js';
import type { OpenReviews } from './open-reviews.js';
import type { BuildContext } from './run-context.js';
import { serveSource } from './serve-source.js';

/** The source that the pages of a build use, and what is known about the pages. */
export interface ServedPages {
	readonly source: BuildSource;
	readonly pages: BuildPages;
	/** `undefined` if the build is not incremental. */
	readonly keys: PageKeys | undefined;
	readonly audit: BuildAudit;
	/** Address for pages that are rendered outside this process. */
	address(): Promise<string | undefined>;
	/** After this, pages have no source. */
	close(): void;
}

/** Makes the reviews of a build available to its pages. */
export function servePages(reviews: OpenReviews, context: BuildContext): ServedPages {
	const { options, connection, settings, reportFile, isIncremental, changes, mayRead, logger } = context;
	const { store, service, list } = reviews;
	const audit = startAudit(options.audit, reportFile, logger);
	const recorder = createPageRecorder();
	const source = createBuildSource({
		...reviews,
		settings,
		listed: list?.seen,
		finished: createFinishedPieces(store, settings, service.finish, list?.seen),
		onReviewData: followReviewData(reviews),
		place(facts) {
			audit.place(facts);
			recorder.place(facts);
		},
		...((isIncremental || options.publish || changes) && { depend: recorder.depend, show: recorder.show }),
	});
	const table = store.pages<StoredPage>();
	const keys = isIncremental
		? createPageKeys(table, source.isCurrent, {
				isAudited: options.audit !== 'off',
				isNoted: options.publish,
				onReuse: changes?.note,
			})
		: undefined;
	const marks = options.publish ? createMarks(randomBytes(16).toString('hex')) : undefined;
	reviewSources().set(connection.account, source);
	const remote = serveSource(source, (page, run) =>
		recorder.runOn(page === undefined ? undefined : readablePath(page), run),
	);
	return {
		source,
		pages: createBuildPages({ recorder, audit, keys, marks, mayRead, changes, table }),
		keys,
		audit,
		address: remote.address,
		close() {
			if (reviewSources().get(connection.account) === source) reviewSources().delete(connection.account);
			remote.close();
		},
	};
}

/** Once some pages have asked for review data, fetches it ahead of the others. */
function followReviewData({ list, revalidation, reviewData }: OpenReviews) {
	return (
		list &&
		followPages({
			order: list.seen,
			checked: revalidation.checked,
			refresh: (pid) => reviewData.refresh(pid),
		})
	);
}
