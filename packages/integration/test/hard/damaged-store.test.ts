import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { createProject } from '../support/build/project.js';
import { markOf, productIds, startService } from '../support/build/service.js';
import { storeFileIn, storeWarnings } from '../support/build/store.js';
import { mountSmallDisk } from '../support/small-disk.js';

/** A shop with a store in a folder of its own or in a given one. @param more is added to each text */
async function createShop(count: number, folder?: string, more?: () => string) {
	const pids = productIds(count);
	const service = await startService(pids, more && { more });
	const project = createProject('store');
	onTestFinished(async () => {
		project.remove();
		await service.close();
	});
	const cacheDir = folder ?? `${project.root}/.store`;
	/** Builds, and looks whether each page shows the reviews of its own product. */
	const build = async (options: Record<string, unknown> = {}) => {
		service.requests.reset();
		const { status, output } = await project.build({
			service: service.url,
			options: { products: pids, cacheDir, ...options },
			pages: pids,
		});
		expect(status, output).toBe(0);
		for (const index of pids.keys()) {
			const page = project.read(`products/n${index + 1}/index.html`);
			expect(new Set(page.match(/Mark \d+ of this product\./g))).toEqual(new Set([markOf(index)]));
			expect(page).toContain('4.5 out of 5');
		}
		return { output, warnings: storeWarnings(output), asked: service.requests.count() };
	};
	expect(await build()).toMatchObject({ asked: count });
	return { service, build, file: storeFileIn(cacheDir) };
}

/** Flips a bit in what the store holds of a product. */
function damageRow(file: string, pid: string): void {
	const database = new DatabaseSync(file, { readOnly: true });
	const { value } = database
		.prepare("SELECT value FROM contents WHERE kind = 'reviews' AND pid = ?")
		.get(pid) as { value: Uint8Array };
	database.close();
	const whole = readFileSync(file);
	// SQLite leaves copies behind when it splits a page.
	let at = whole.indexOf(value);
	expect(at).toBeGreaterThan(0);
	for (; at >= 0; at = whole.indexOf(value, at + 1)) whole[at + 40] = (whole[at + 40] as number) ^ 1;
	writeFileSync(file, whole);
}

function damagePages(file: string): void {
	const bytes = readFileSync(file);
	for (let page = 1; page * 8_192 < bytes.length; page++) bytes.fill(0xff, page * 8_192, page * 8_192 + 12);
	writeFileSync(file, bytes);
}

const SET_ASIDE =
	/^The cache cannot be used \(.+\)\. It was renamed to "reviews-v\d+\.db\.set-aside"; a new one is built\. \[PR_CACHE_UNUSABLE\]$/;

test.each<[string, (file: string) => void, asked: number, warning: RegExp]>([
	['of which one product is damaged', (file) => damageRow(file, 'p-9'), 1, /^The cache had 1 damaged row\. /],
	['that is damaged all over', damagePages, 20, SET_ASIDE],
])('a store %s: pages are whole, a line says it, and the next build asks for nothing', async (...given) => {
	const [, damage, asked, warning] = given;
	const { build, file } = await createShop(20);
	damage(file);
	expect(await build()).toMatchObject({ warnings: [expect.stringMatching(warning)], asked });
	expect(existsSync(`${file}.set-aside`)).toBe(warning === SET_ASIDE);
	expect(await build()).toMatchObject({ warnings: [], asked: 0 });
});

// It waits 5 s for the lock when it writes for the first time, and again at the end. If it did so for each product, it would
// take over ten minutes.
test('a store that another process holds for a whole build is read, and costs a line', async () => {
	const { service, build, file } = await createShop(130);
	const other = new DatabaseSync(file);
	onTestFinished(() => other.close());
	other.exec('BEGIN IMMEDIATE');
	service.faults.add({ operation: 'crawlerReviews', pid: 'p-3', kind: 'status', status: 403 });

	const { warnings, output } = await build({ revalidate: 'always' });

	expect(warnings).toEqual([
		'The cache could not be written: database is locked. The build goes on. [PR_CACHE_UNUSABLE]',
	]);
	expect(output).toContain('stored reviews are shown: "p-3"');
});

test('a disk that is full or cannot be written costs a line and no page; with space the rest is stored', async ({
	skip,
}) => {
	const disk = mountSmallDisk('1m');
	if (typeof disk === 'string') return skip(disk);
	onTestFinished(disk.remove);
	// Text that cannot be compressed to less than half.
	const { build } = await createShop(300, disk.folder, () => randomBytes(2_500).toString('hex'));

	const full = await build();
	expect(full.warnings).toEqual([
		'The cache could not be written: database or disk is full. The build goes on. [PR_CACHE_UNUSABLE]',
		'The report could not be written: write failed with ENOSPC. The build goes on.',
	]);
	expect(full.asked).toBeGreaterThan(0);
	disk.remount('size=32m');
	const next = await build();
	expect(next.warnings).toEqual([]);
	expect(next.asked).toBeLessThanOrEqual(full.asked);
	expect(await build()).toMatchObject({ warnings: [], asked: 0 });

	disk.remount('ro');
	expect((await build()).warnings).toEqual([
		expect.stringMatching(/^The cache cannot be opened: unable to open database file\./),
		'The report could not be written: open failed with EROFS. The build goes on.',
	]);
});
