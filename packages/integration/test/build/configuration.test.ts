import { afterAll, expect, test } from 'vitest';
import { type AstroRun, createProject } from '../support/build/project.js';

const UNREACHABLE = 'http://127.0.0.1:9';
const project = createProject('store', { pages: ['p-1'], options: { products: ['p-1'] } });

afterAll(project.remove);

// Their words are compared by the tests of options.
test.each<[string, AstroRun, string]>([
	['no address of the service', {}, 'REVIEWS_BASE_URL'],
	[
		'a list that throws',
		{ service: UNREACHABLE, options: { products: 'throws' } },
		'the catalogue answered 500',
	],
])('%s: the build fails and says what to do', async (_name, run, message) => {
	const { status, output } = await project.tryBuild(run);
	expect(status, output).toBe(1);
	expect(output).toContain(message);
});

test('astro sync needs no environment, whatever NODE_ENV is', async () => {
	const { ended, output } = project.start(['sync'], { environment: { NODE_ENV: 'development' } });
	expect(await ended, output()).toBe(0);
});

test('astro dev does not start with an address that is set and invalid', async () => {
	const { ended, output } = project.start(['dev', '--port', '0'], { service: 'https://reviews.example/api' });
	expect(await ended, output()).toBe(1);
	expect(output()).toContain('REVIEWS_BASE_URL');
	expect(output()).toContain('path');
});
