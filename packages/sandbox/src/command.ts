import { parseArgs } from 'node:util';
import { OPERATIONS } from 'product-reviews-client/contract';
import { defined } from './records.js';
import type { Sandbox, SandboxOptions } from './start-sandbox.js';

export const HELP = `A hosted product-review service on your own machine.

Usage: product-reviews-sandbox [options]

  --port <number>        Port to listen on; 0 picks a free one (default 4400)
  --host <address>       Address to listen on (default 127.0.0.1)
  --data <file>          SQLite file for the data; seeded once, when it is
                         created (default: in memory)
  --seed <number|none>   Seed that the reviews are generated from; none starts
                         empty (default 1001)
  --token <token>        Access token for operations 1 and 2
                         (default sandbox-token)
  --api-key <key>        API key that access tokens are given for
                         (default sandbox-api-key-1001)
  --token-lifetime <ms>  How long such a token is valid, in milliseconds
                         (default 30 days)
  --crawler-port <number>
                         Port for operation 3 alone (default: that of the
                         others)
  --wsid <id>            Website ID (default W-1001)
  --latency <ms>         Delay of each operation, in milliseconds (default 0)
  --product-url <url>    URL of a product page, containing {pid}
                         (default https://shop.example/products/{pid}/)
  --public-url <url>     URL at which browsers reach the sandbox, for pictures
                         and videos (default: that of each request)
  --webhook <url>        URL on this machine that is notified of every edit;
                         may be repeated
  --webhook-secret <secret>
                         whsec_ and the base64 of 24 to 64 bytes, for all
                         webhooks (default: generated and printed)
  --webhook-key-header <name>
                         Sends webhooks with the API key in this header,
                         without signature, id and time
  --webhook-unsigned     Sends webhooks without signature, id and time, such as
                         to a URL with ?secret=...
  --webhook-ids <path>   Where the product ID is in the body
                         (default data.pid)
  --allow-remote-webhooks
                         Allow webhooks to other machines
  --help                 Show this text
`;

/** @throws {Error} For an unknown option or an invalid value; the message names it. */
export function readCommand(args: readonly string[]): SandboxOptions | 'help' {
	const { help, host, data, token, wsid, webhook: urls = [], ...values } = parse(args);
	if (help) return 'help';
	const { 'token-lifetime': lifetime, 'crawler-port': crawlerPort, 'api-key': apiKey } = values;
	const { 'product-url': template, 'public-url': publicUrl, 'webhook-secret': secret } = values;
	const check = (isValid: boolean, problem: string) => {
		if (!isValid) throw refusal(problem);
	};
	const wholeNumber = (name: string, value: string, maximum: number) => {
		const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
		check(number <= maximum, `--${name} must be a whole number from 0 to ${maximum}, not "${value}".`);
		return number;
	};
	check(
		/^[\x21-\x7e]+$/.test(token ?? 'none'),
		'--token must be visible ASCII without spaces: it is sent in a header.',
	);
	check(
		publicUrl === undefined || /^https?:$/.test(URL.parse(publicUrl)?.protocol ?? ''),
		`--public-url must be an http(s) URL, not "${publicUrl}".`,
	);
	check(template?.includes('{pid}') ?? true, `--product-url must contain {pid}; "${template}" does not.`);
	const settings = defined({
		secret,
		keyHeader: values['webhook-key-header'],
		signed: values['webhook-unsigned'] ? false : undefined,
		ids: values['webhook-ids'],
	});
	check(
		Object.keys(settings).length === 0 || urls.length > 0,
		'--webhook-secret and the other options of webhooks need a --webhook <url>.',
	);
	return defined({
		port: wholeNumber('port', values.port ?? '4400', 65_535),
		seed: values.seed === 'none' ? (false as const) : wholeNumber('seed', values.seed ?? '1001', 2 ** 32 - 1),
		latency: wholeNumber('latency', values.latency ?? '0', 600_000),
		apiKey,
		tokenLifetime: lifetime === undefined ? undefined : wholeNumber('token-lifetime', lifetime, 2 ** 50),
		crawlerPort: crawlerPort === undefined ? undefined : wholeNumber('crawler-port', crawlerPort, 65_535),
		host,
		data,
		wsid,
		token,
		productUrl: template
			? (pid: string) => template.replaceAll('{pid}', () => encodeURIComponent(pid))
			: undefined,
		publicUrl,
		webhooks: urls.length > 0 ? urls.map((url) => ({ url, ...settings })) : undefined,
		allowRemoteWebhooks: values['allow-remote-webhooks'],
	});
}

function parse(args: readonly string[]) {
	try {
		const text = { type: 'string' } as const;
		return parseArgs({
			args: [...args],
			options: {
				port: text,
				host: text,
				data: text,
				seed: text,
				token: text,
				wsid: text,
				'api-key': text,
				'token-lifetime': text,
				'crawler-port': text,
				latency: text,
				'product-url': text,
				'public-url': text,
				webhook: { type: 'string', multiple: true },
				'webhook-secret': text,
				'webhook-key-header': text,
				'webhook-unsigned': { type: 'boolean' },
				'webhook-ids': text,
				'allow-remote-webhooks': { type: 'boolean' },
				help: { type: 'boolean' },
			},
		}).values;
	} catch (cause) {
		throw refusal(cause instanceof Error ? cause.message : String(cause));
	}
}

function refusal(problem: string): Error {
	return new Error(`${problem}\nRun product-reviews-sandbox --help for all options.`);
}

/** Printed once the sandbox listens: its address, ids, and a command to try for each operation. */
export function greeting({ url, crawlerUrl, wsid, token, apiKey, store, webhooks }: Sandbox): string {
	const post = (path: string, body: string) =>
		`curl -s ${url}${path} -H ${quoted(`Authorization: Bearer ${token}`)} -H 'Content-Type: application/json' -d '${body}'`;
	const query = new URLSearchParams({ wsid, pid: 'p-1', ihtml: 'true', ijsonld: 'true' });
	const webhookLines = webhooks
		.list()
		.map((webhook) => `  webhook       ${webhook.url}\n    secret      ${webhook.secret}\n`);
	return `Review sandbox with ${store.listProducts().length} products: ${url}
  website ID    ${wsid}
  access token  ${token}
  API key       ${apiKey}
${webhookLines.join('')}
Star rating:
  ${post(OPERATIONS.starRating.path, '{"listProductId":["p-1","p-2"]}')}
Product review data:
  ${post(OPERATIONS.productReviewData.path, '{"productId":"p-1"}')}
Crawler-readable review HTML:
  curl -s ${quoted(`${crawlerUrl}${OPERATIONS.crawlerReviews.path}?${query}`)}

Press Ctrl+C to stop.
`;
}

function quoted(text: string): string {
	return `'${text.replaceAll("'", "'\\''")}'`;
}
