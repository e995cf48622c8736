import { parseArgs } from 'node:util';
import { OPERATIONS } from 'product-reviews-client/contract';
import { fill, readAsset } from './assets.js';
import { defined } from './records.js';
import type { Sandbox } from './server.js';
import type { SandboxOptions } from './service.js';

export const HELP = readAsset('help.txt').toString();

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const numbers = { port: text, seed: text, latency: text, 'token-lifetime': text, 'crawler-port': text };
const options = {
	...{ ...numbers, host: text, data: text, token: text, wsid: text, 'api-key': text, 'product-url': text },
	...{ 'public-url': text, webhook: { ...text, multiple: true as const }, 'webhook-secret': text },
	...{ 'webhook-key-header': text, 'webhook-ids': text, 'webhook-unsigned': flag },
	...{ 'allow-remote-webhooks': flag, help: flag },
};

/** @throws {Error} For an unknown option or an invalid value; the message names it. */
export function readCommand(args: readonly string[]): SandboxOptions | 'help' {
	const { webhook: urls = [], ...values } = parse(args);
	if (values.help) return 'help';
	const { host, data, token, wsid, 'api-key': apiKey } = values;
	const { 'product-url': template, 'public-url': publicUrl } = values;
	const check = (isValid: boolean, problem: string) => isValid || refuse(problem);
	const wholeNumber = (name: keyof typeof numbers, maximum: number) => {
		const { [name]: value } = values;
		if (value === undefined) return undefined;
		const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
		check(number <= maximum, `--${name} must be a whole number from 0 to ${maximum}, not "${value}".`);
		return number;
	};
	const isHeader = /^[\x21-\x7e]+$/.test(token ?? 'none');
	check(isHeader, '--token must be visible ASCII without spaces: it is sent in a header.');
	const isUrl = publicUrl === undefined || /^https?:$/.test(URL.parse(publicUrl)?.protocol ?? '');
	check(isUrl, `--public-url must be an http(s) URL, not "${publicUrl}".`);
	check(template?.includes('{pid}') ?? true, `--product-url must contain {pid}; "${template}" does not.`);
	const { 'webhook-secret': secret, 'webhook-key-header': keyHeader, 'webhook-ids': ids } = values;
	const signed = values['webhook-unsigned'] ? false : undefined;
	const settings = defined({ secret, keyHeader, signed, ids });
	const hasUrl = urls.length > 0 || Object.keys(settings).length === 0;
	check(hasUrl, '--webhook-secret and the other options of webhooks need a --webhook <url>.');
	return defined({
		port: wholeNumber('port', 65_535) ?? 4_400,
		seed: values.seed === 'none' ? (false as const) : (wholeNumber('seed', 2 ** 32 - 1) ?? 1_001),
		latency: wholeNumber('latency', 600_000) ?? 0,
		apiKey,
		tokenLifetime: wholeNumber('token-lifetime', 2 ** 50),
		crawlerPort: wholeNumber('crawler-port', 65_535),
		...{ host, data, wsid, token },
		productUrl: template === undefined ? undefined : filled(template),
		publicUrl,
		webhooks: urls.length > 0 ? urls.map((url) => ({ url, ...settings })) : undefined,
		allowRemoteWebhooks: values['allow-remote-webhooks'],
	});
}

const filled = (template: string) => (pid: string) =>
	template.replaceAll('{pid}', () => encodeURIComponent(pid));

function parse(args: readonly string[]) {
	try {
		return parseArgs({ args: [...args], options }).values;
	} catch (cause) {
		return refuse(cause instanceof Error ? cause.message : String(cause));
	}
}

function refuse(problem: string): never {
	throw new Error(`${problem}\nRun product-reviews-sandbox --help for all options.`);
}

/** Returns what is printed once the sandbox listens: its URL, a store's variables, and a command to try for each operation. */
export function greeting(sandbox: Sandbox): string {
	const { url, crawlerUrl, wsid, token, store, webhooks } = sandbox;
	const post = (path: string, body: string) =>
		`curl -s ${url}${path} -H ${quoted(`Authorization: Bearer ${token}`)} -H 'Content-Type: application/json' -d '${body}'`;
	const query = new URLSearchParams({ wsid, pid: 'p-1', ihtml: 'true', ijsonld: 'true' });
	const hooks = webhooks.list().map((hook) => `Sends webhooks to ${hook.url}\n`);
	return fill(readAsset('greeting.txt').toString(), {
		...{ count: store.listProducts().length, url, webhooks: hooks.join('') },
		variables: variablesOf(sandbox).join('\n'),
		starRating: post(OPERATIONS.starRating.path, '{"listProductId":["p-1","p-2"]}'),
		productReviewData: post(OPERATIONS.productReviewData.path, '{"productId":"p-1"}'),
		crawlerReviews: `curl -s ${quoted(`${crawlerUrl}${OPERATIONS.crawlerReviews.path}?${query}`)}`,
	});
}

/** Returns the lines of an `.env` with which `astro-product-reviews` uses a sandbox and verifies its webhooks. */
function variablesOf({ url, crawlerUrl, wsid, token, apiKey, webhooks }: Sandbox): string[] {
	const hooks = webhooks.list();
	const signed = hooks.filter(({ keyHeader, signed = !keyHeader }) => signed);
	// Those of a rotation, which a receiver accepts as well, are separated by spaces.
	const secrets = [...new Set(signed.map(({ secret }) => secret))].join(' ');
	const isKeySent = hooks.some(({ keyHeader }) => keyHeader);
	return [
		`REVIEWS_BASE_URL=${url}`,
		...(crawlerUrl === url ? [] : [`REVIEWS_BASE_URL_CRAWLER_HTML=${crawlerUrl}`]),
		`REVIEWS_WSID=${wsid}`,
		`REVIEWS_TOKEN=${token}`,
		isKeySent ? `REVIEWS_API_KEY=${apiKey}` : `# In place of the token: REVIEWS_API_KEY=${apiKey}`,
		...(secrets ? [`REVIEWS_WEBHOOK_SECRET=${secrets}`] : []),
	];
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
