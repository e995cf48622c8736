import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileNames } from '../../../pages/page.js';
import { type BuildReport, readReport } from '../../../report/report.js';
import { openOutput } from '../../../update/output.js';
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
	const addresses = products.flatMap(({ pages }) => pages);
	const looked = findFiles([...new Set(addresses)].slice(0, MOST_PAGES), folder, places.base);
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
function readOutputOf({ root, storeFile }: BuildPlaces): {
	output?: string;
	why: string | undefined;
} {
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

/** The files of these pages. */
function findFiles(addresses: readonly string[], folder: string, base: string): Looked {
	const times = addresses.map((address) =>
		fileNames(address, base)
			.map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
			.find((found) => found?.isFile()),
	);
	const found = times.filter((time) => time !== undefined);
	return {
		pages: { checked: times.length, gone: times.length - found.length },
		newestFile: newestOf(found.map(({ mtimeMs }) => mtimeMs)),
	};
}

function newestOf(times: readonly number[]): number | undefined {
	return times.length > 0 ? Math.max(...times) : undefined;
}
