import { chmodSync, cpSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { createLastingFolder } from 'product-reviews-test-support/folder';
import { needs } from 'product-reviews-test-support/programs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectSame, readFiles } from '../support/build/project.js';
import { productIds, publish, startShop, TOKEN } from '../support/build/service.js';

const DOCS = join(import.meta.dirname, '../../../../docs/src/content/docs/deploy');
/** The command lines of the documentation that upload what an update changed. */
const RECIPES = globSync('*.mdx', { cwd: DOCS }).flatMap((page) =>
	[...readFileSync(join(DOCS, page), 'utf8').matchAll(/update --then '([^']+)'/g)].map(
		([, line = '']) => line,
	),
);
const lineWith = (word: string) => RECIPES.find((line) => line.includes(word)) ?? '';

/** `aws s3 cp <file> <url>`, for a bucket that is a folder. */
const AWS =
	'#!/bin/sh\nto=$(echo "$4" | sed "s#^s3:/#$BUCKETS#")\n[ "$to" = "$BROKEN" ] && exit 7\nmkdir -p "$(dirname "$to")" && cp "$3" "$to"\n';

const COPIES = {
	'.gz': [promisify(zlib.gzip), promisify(zlib.gunzip)],
	'.br': [promisify(zlib.brotliCompress), promisify(zlib.brotliDecompress)],
} as const;

const { project, service } = await startShop('sitemap-store', productIds(3), { environment: TOKEN });
const { folder, remove } = createLastingFolder('upload');
const [target, bin] = [join(folder, 'my-shop'), join(folder, 'bin')];
const environment = { BUCKETS: folder, PATH: `${bin}:${process.env['PATH']}` };

beforeAll(async () => {
	mkdirSync(bin);
	writeFileSync(join(bin, 'aws'), AWS);
	chmodSync(join(bin, 'aws'), 0o755);
	await project.build();
	const dist = join(project.root, 'dist');
	for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
		if (!/\.(?:html|xml)$/.test(name)) continue;
		for (const [end, [compress]] of Object.entries(COPIES))
			writeFileSync(join(dist, name + end), await compress(readFileSync(join(dist, name))));
	}
	cpSync(dist, target, { recursive: true });
});

afterAll(remove);

/** Publishes a new review, uploads it as the documentation says, and finds it in all forms of all files. */
async function expectUploaded(line: string, body: string) {
	publish(service, 'p-1', body);
	const { status, errors, files } = await project.updateJson(['p-1', '--then', line], environment);
	expect(status, errors).toBe(0);
	const page = 'products/p-1/index.html';
	expect(files).toEqual(expect.arrayContaining([page, `${page}.gz`, `${page}.br`]));
	expect(files.filter((name) => /sitemap.*\.xml\.(?:gz|br)$/.test(name)).length).toBeGreaterThan(0);
	expectSame(readFiles(target), project.contents());
	for (const name of files.filter((file) => /\.(?:html|xml)$/.test(file))) {
		const uploaded = readFileSync(join(target, name));
		for (const [end, [, expand]] of Object.entries(COPIES))
			expect(await expand(readFileSync(join(target, name + end))), name).toEqual(uploaded);
	}
	expect(readFileSync(join(target, page), 'utf8')).toContain(body);
}

test('the loop for S3 uploads each file in all its forms', () =>
	expectUploaded(lineWith('aws s3 cp'), 'Uploaded to a bucket.'));

test('an upload that fails fails the update, and the next one uploads what is missing', async () => {
	const broken = join(target, 'products/p-1/index.html');
	publish(service, 'p-1', 'Not uploaded at first.');
	const line = lineWith('aws s3 cp');
	const { status } = await project.updateJson(['p-1', '--then', line], { ...environment, BROKEN: broken });
	expect(status).not.toBe(0);
	expect(readFileSync(broken, 'utf8')).not.toContain('Not uploaded at first.');
	expect(await project.updateJson(['p-1', '--then', line], environment)).toMatchObject({ status: 0 });
	expectSame(readFiles(target), project.contents());
});

test('the line for rsync uploads each file in all its forms', needs('rsync'), () =>
	expectUploaded(
		lineWith('rsync').replace(/\S+:\/var\/www\/shop\//, `"${target}/"`),
		'Uploaded to a server.',
	),
);
