import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuildProject, createProject } from '../support/build/project.js';
import { markOf } from '../support/build/service.js';
import { STRINGS, spread } from '../support/corpora.js';
import { type RawService, startRawService } from '../support/service/raw-service.js';

/** The operating system has a limit for all ids together: they reach the build by its environment. */
const PIDS = spread(
	STRINGS.filter((text) => text.length < 300),
	600,
);
const MARKS = new Map(PIDS.map((pid, index) => [pid, markOf(index)]));
const QUERY = /^\?wsid=W-1001&pid=([^&=]+)&ihtml=true&ijsonld=true$/;

let project: BuildProject;
let service: RawService;
let isBroken = false;

beforeAll(async () => {
	project = createProject('store');
	service = await startRawService((pid) => {
		const text = MARKS.get(pid);
		return text === undefined || isBroken ? undefined : { text, place: 'reviews', jsonld: 'escaped' };
	});
});

afterAll(async () => {
	project?.remove();
	await service?.close();
});

const build = (options: Record<string, unknown> = {}) =>
	project.build({ service: service.url, options: { products: PIDS, retries: 0, ...options }, pages: PIDS });

test('each product is asked for once by exactly its id, and its page shows its reviews', async () => {
	const { status, output } = await build();

	expect(output).toContain('600 fetched');
	expect(status).toBe(0);
	const asked = service.queries.map((query) => QUERY.exec(query)?.[1] ?? '');
	expect(asked.map(decodeURIComponent).toSorted()).toEqual(PIDS.toSorted());
	for (const [index, pid] of PIDS.entries()) {
		const page = project.read(`products/n${index + 1}/index.html`);
		expect(new Set(page.match(/Mark \d+ of this product\./g)), pid).toEqual(new Set([markOf(index)]));
	}
});

test('the log names broken products on the lines that it has, without control characters', async () => {
	isBroken = true;
	const { status, output } = await build({ maxAge: 0, cacheDir: 'empty', onError: 'omit' });

	expect(status).toBe(0);
	expect(output).toContain('The service failed for 600 products, and nothing is stored');
	// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
	expect(output).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/);
	const lines = output.split('\n').filter((line) => line.includes('The service failed'));
	expect(lines).toHaveLength(1);
	expect(lines[0]).toMatch(/and 500 more\. First reason: /);
});
