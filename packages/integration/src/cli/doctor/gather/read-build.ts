import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { FileProof, StoredPage } from '../../../pages/page.js';
import { fileNames, findFile } from '../../../publish/files.js';
import { openOutput } from '../../../publish/run-publish.js';
import { type BuildReport, readReport } from '../../../report/report.js';
import { openExistingFile } from '../../../store/open-database.js';
import { prepareToRead, type Row, toRow, unpackRow } from '../../../store/rows.js';
import type { BuildFacts, ProductFacts } from '../facts.js';

/** Pages whose files are looked at. */
const MOST_PAGES = 500;

/** Where the last build wrote. Paths are absolute. */
export interface BuildPlaces {
	/** Of the project. */
	readonly root: string;
	readonly storeFile: string;
	readonly reportFile: string;
	readonly outDir: string;
	/** The output folder, for people. */
	readonly outName: string;
	readonly base: string;
	/** `undefined` if the website id is not set. */
	readonly account: string | undefined;
	/** Whether the option `publish` is on. */
	readonly isPublished: boolean;
}

/** What the last build says, what it wrote, and what it says of one product. */
export async function readBuild(
	places: BuildPlaces,
	pid: string | undefined,
): Promise<{ readonly build: BuildFacts; readonly reported: ProductFacts['reported'] }> {
	const report = reportIn(places.reportFile);
	const products = [...(report?.products ?? [])];
	const of = products.find((product) => product.pid === pid);
	const { output, why } = readOutputOf(places);
	const folder = output ?? pagesFolder(places.outDir);
	const stored =
		places.isPublished && places.account !== undefined ? readPages(places.storeFile, places.account) : [];
	const addresses = products.flatMap(({ pages }) => pages);
	const looked =
		stored.length > 0
			? await compareFiles(stored, folder, places.base)
			: findFiles([...new Set(addresses)].slice(0, MOST_PAGES), folder, places.base);
	const failure = products.find(({ reason }) => reason !== undefined)?.reason;
	return {
		reported: of && { status: of.status, reason: of.reason, pages: of.pages.length },
		build: {
			report: report && {
				builtAt: Date.parse(report.builtAt),
				version: report.version,
				ms: report.ms,
				totals: report.totals,
				pages: report.pages,
				findings: report.audit.findings.length,
				failure,
				showsProducts: addresses.length > 0,
			},
			outDir: places.outName,
			hasOutput: existsSync(places.outDir),
			...looked,
			whyNoPublish: why,
		},
	};
}

function reportIn(file: string): BuildReport | undefined {
	try {
		return readReport(file, file);
	} catch {
		return undefined;
	}
}

/** A publish needs the output of the last build. */
function readOutputOf({ root, storeFile, isPublished }: BuildPlaces): {
	output?: string;
	why: string | undefined;
} {
	if (!isPublished) return { why: undefined };
	try {
		const opened = openOutput(storeFile, root);
		if ('reason' in opened) return { why: opened.reason };
		return { output: resolve(opened.build.root, opened.build.folder), why: undefined };
	} catch (error) {
		return { why: (error as Error).message };
	}
}

/** Adapters separate the files for browsers from the server. */
function pagesFolder(outDir: string): string {
	const client = join(outDir, 'client');
	return existsSync(client) ? client : outDir;
}

type Looked = Pick<BuildFacts, 'pages' | 'newestFile'>;

/** The pages of the last build with what identifies their files. */
function readPages(storeFile: string, account: string): StoredPage[] {
	let database: DatabaseSync | undefined;
	try {
		database = openExistingFile(storeFile);
		const rows = prepareToRead(
			database,
			"SELECT digest, codec, value FROM entries JOIN contents USING (account, kind, pid) WHERE account = ? AND kind = 'page' LIMIT ?",
		).all(account, MOST_PAGES);
		return rows.map((row) => unpackRow<StoredPage>(toRow<Row>(row)));
	} catch {
		// The check of the store says so.
		return [];
	} finally {
		database?.close();
	}
}

async function compareFiles(pages: readonly StoredPage[], folder: string, base: string): Promise<Looked> {
	const counts = { checked: 0, gone: 0, altered: 0 };
	const times: number[] = [];
	for (const { address, file, next } of pages) {
		if (!file) continue;
		counts.checked += 1;
		const proofs = [file, next?.file].filter((proof): proof is NonNullable<typeof proof> => proof != null);
		const found = await findFile(folder, fileNames(address, base), proofs satisfies FileProof[]);
		if (typeof found === 'string') counts[found === 'gone' ? 'gone' : 'altered'] += 1;
		else times.push(statSync(found.path).mtimeMs);
	}
	return { pages: counts, newestFile: newestOf(times) };
}

/** Without the option `publish`, only the names of the files are known. */
function findFiles(addresses: readonly string[], folder: string, base: string): Looked {
	const times = addresses.map((address) =>
		fileNames(address, base)
			.map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
			.find((found) => found?.isFile()),
	);
	const found = times.filter((time) => time !== undefined);
	return {
		pages: { checked: times.length, gone: times.length - found.length, altered: 0 },
		newestFile: newestOf(found.map(({ mtimeMs }) => mtimeMs)),
	};
}

function newestOf(times: readonly number[]): number | undefined {
	return times.length > 0 ? Math.max(...times) : undefined;
}
