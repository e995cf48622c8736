import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { productIds, publish, startShop } from '../support/build/service.js';

// Without a token, so no list says which ratings moved; all that is stored is fresh.
const PIDS = productIds(20);
const { project, service } = await startShop('store', PIDS);
await project.build();

const IDS = JSON.stringify({ pids: ['p-7'], all: false });

/** A file that a host writes before the build. */
function fileOf(text: string, name = 'event.json'): string {
	const file = join(project.root, name);
	writeFileSync(file, text);
	return file;
}

// What hosts that pass on what the hook was called with set, and those that pass on nothing.
test.each<[host: string, requests: number, environment: Record<string, string>]>([
	['Netlify', 1, { NETLIFY: 'true', INCOMING_HOOK_BODY: encodeURIComponent(IDS) }],
	[
		'GitHub',
		1,
		{ GITHUB_EVENT_NAME: 'repository_dispatch', GITHUB_EVENT_PATH: fileOf(`{"client_payload":${IDS}}`) },
	],
	['GitLab', 1, { TRIGGER_PAYLOAD: fileOf(IDS, 'TRIGGER_PAYLOAD') }],
	['Vercel', PIDS.length, { VERCEL: '1' }],
	['Cloudflare Pages', PIDS.length, { CF_PAGES: '1' }],
	['Cloudflare Workers', PIDS.length, { WORKERS_CI: '1' }],
	['another host', PIDS.length, { DEPLOY_HOOK_URL: 'https://host.example/hook' }],
])(
	'the build that a deploy hook of %s started shows the review, without a token',
	async (host, count, environment) => {
		const body = `A review on ${host}.`;
		publish(service, 'p-7', body);
		const before = service.requests.all.length;
		await project.build({ environment });
		expect(project.read('products/n7/index.html')).toContain(body);
		const asked = service.requests.all.slice(before);
		expect(asked).toHaveLength(count);
		const unchanged = asked.filter(({ status }) => status === 304);
		expect(unchanged).toHaveLength(count - 1);
	},
);

test('an age that is set decides, whatever started the build', async () => {
	publish(service, 'p-7', 'Too late.');
	const before = service.requests.all.length;
	await project.build({ environment: { VERCEL: '1' }, options: { maxAge: '1h' } });
	expect(service.requests.all).toHaveLength(before);
});
