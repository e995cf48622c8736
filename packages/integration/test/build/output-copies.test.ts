import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { expectSame, readFiles } from '../support/build/project.js';
import { productIds, publish, startShop, TOKEN } from '../support/build/service.js';

const PIDS = productIds(3);
const { project, service } = await startShop('feeds-store', PIDS, {
	environment: TOKEN,
	options: { feeds: { markdown: true, ratings: true } },
});
const { root } = project;

/** The folder that @astrojs/vercel deploys. */
const DEPLOYED = '.vercel/output/static';
const copyIn = (folder: string) => readFiles(join(root, folder));
const news = (pid: string, body: string) => publish(service, pid, body);

/** An adapter adds its copying as an integration of its own, as that of Vercel does. */
const COPYING = `
import { cpSync } from 'node:fs';

const copying = {
	name: 'copying',
	hooks: {
		'astro:build:done'() {
			for (const folder of (process.env.FIXTURE_COPIES ?? '').split(' ').filter(Boolean))
				cpSync('dist', folder, { recursive: true });
		},
	},
};
const adapter = {
	name: 'adapter',
	hooks: { 'astro:config:setup': ({ updateConfig }) => updateConfig({ integrations: [copying] }) },
};
`;

beforeAll(async () => {
	project.change('astro.config.mjs', (text) =>
		text.replace('integrations: [', 'integrations: [adapter, ').replace(
			'export default',
			`${COPYING}
export default`,
		),
	);
	await project.build({ environment: { FIXTURE_COPIES: `${DEPLOYED} other` } });
});

test('every copy that an integration made is after an update as a build would make it', async () => {
	news('p-1', 'New in all copies.');
	const updated = await project.updateJson(['p-1']);
	expect(updated).toMatchObject({ status: 0, rebuild: [], copies: [DEPLOYED, 'other'] });
	expect(updated.files).toContain('products/p-1/reviews.md');
	const anew = await project.buildAnew();
	for (const folder of ['dist', DEPLOYED, 'other']) expectSame(copyIn(folder), anew);

	news('p-1', 'Newer.');
	const { printed } = await project.update(['p-1']);
	expect(printed).toContain(`\nThe same in ".vercel/output/static" and "other".\n`);
	expect(String(copyIn(DEPLOYED).get('products/p-1/index.html'))).toContain('Newer.');
});

test('a page whose copy somebody changed, or copied after the build, is left everywhere, and said', async () => {
	const deployed = join(root, DEPLOYED, 'products/p-2/index.html');
	const text = readFileSync(deployed, 'utf8');
	writeFileSync(deployed, text.replaceAll(' class="pr-', ' class=own '));
	cpSync(join(root, 'dist'), join(root, 'site/public_html'), { recursive: true });
	rmSync(join(root, 'site/public_html/products/p-2'), { recursive: true });
	for (const pid of ['p-2', 'p-3']) news(pid, 'Left.');
	const before = ['dist', DEPLOYED, 'other', 'site'].map(copyIn);
	const { status, rebuild, files } = await project.updateJson(['p-2', 'p-3']);
	expect([status, files.filter((name) => name.endsWith('.html'))]).toEqual([3, []]);
	expect(rebuild).toEqual(
		expect.arrayContaining([
			{
				page: '/products/p-2/',
				reason: `its copy is not as the build left it: ${DEPLOYED}/products/p-2/index.html`,
			},
			{
				page: '/products/p-3/',
				reason:
					'it has a copy that something else than the build made: site/public_html/products/p-3/index.html',
			},
		]),
	);
	for (const [index, folder] of ['dist', DEPLOYED, 'other', 'site'].entries())
		for (const [name, contents] of copyIn(folder))
			if (name.endsWith('.html')) expect(before[index]?.get(name)?.equals(contents), name).toBe(true);

	// A copy that is older than the build is one of another.
	await project.build();
	rmSync(join(root, 'other'), { recursive: true });
	news('p-3', 'Beside old copies.');
	expect(await project.updateJson(['p-3'])).toMatchObject({ status: 0, rebuild: [], copies: [] });
});
