// Writes the responses of the benchmark's service, and the ready-made html of the reference's pages, into a folder:
//   node bench/service/record.mjs <folder> <products>
// The payloads are from the sandbox, 22 KB on average. This is a separate process so that the sandbox has ended when builds
// are timed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseOptions } from '../../packages/integration/dist/options/parse-options.js';
import { readPayload } from '../../packages/integration/dist/providers/hosted-reviews.js';
import { addressFragment } from '../../packages/integration/dist/render/address.js';
import { writeFragment } from '../../packages/integration/dist/render/write-fragment.js';
import { startSandbox } from '../../packages/sandbox/dist/index.js';
import { createRandom } from '../../packages/sandbox/dist/random.js';
import { composeReviews } from '../../packages/sandbox/scripts/compose-reviews.mjs';
import { productOf, schemaOf } from '../site/shared/products.mjs';
import { writeTextFile } from '../site/shared/text-file.mjs';

/** Number of distinct payloads; further products repeat them with their own ids. */
const DIFFERENT = 1_000;
const CATEGORIES = ['home', 'kitchen', 'garden', 'outdoor', 'desk', 'kids'];

const [folder, count] = [process.argv[2], Number(process.argv[3])];
const sandbox = await startSandbox({ seed: false, products: recordedProducts(Math.min(count, DIFFERENT)) });
const recorded = [];
for (const { pid } of sandbox.store.listProducts()) recorded.push(await answerFor(pid));

// The product in the middle gets another review while builds are measured.
const changing = Math.ceil(count / 2) - 1;
const { pid: recordedPid } = JSON.parse(recorded[changing % DIFFERENT]);
sandbox.store.createReview(recordedPid, { rating: 1, title: 'New', author: 'New', body: 'A new review.' });
const changed = await answerFor(recordedPid);
await sandbox.close();

const payloads = writeTextFile(join(folder, 'payloads'));
const texts = writeTextFile(join(folder, 'texts'));
const settings = parseOptions({});
for (let index = 0; index < count; index++) {
	const pid = `p-${index + 1}`;
	const payload = payloadFor(recorded[index % recorded.length], pid);
	payloads.add(gzipSync(payload));
	const { html, jsonld, dataCount } = JSON.parse(payload);
	const reviews = readPayload({
		pid,
		aggregate: { count: dataCount.prtng, average: dataCount.avgrtng },
		html,
		jsonld,
	});
	const write = (request) =>
		texts.add(addressFragment(writeFragment(pid, reviews, request, settings), pid, request).html);
	// As on the site, where the product's URL is that of its page.
	const address = `https://shop.example/products/${pid}/`;
	// The page gives it into a slot, so its props have that as well.
	write({ component: 'ReviewSchema', props: { slot: 'head', product: schemaOf(productOf(pid)) }, address });
	write({ component: 'ProductReviews', props: {} });
}
payloads.add(gzipSync(payloadFor(changed, `p-${changing + 1}`)));
payloads.close();
texts.close();
const ratings = [...recorded, changed].map((payload) => JSON.parse(payload).dataCount);
writeFileSync(join(folder, 'recording.json'), JSON.stringify({ count, changing, ratings }));

/** Products with 0 to 64 reviews each. */
function* recordedProducts(length) {
	const random = createRandom(1001);
	for (let index = 0; index < length; index++) {
		const pid = `recorded-${index}-`;
		const category = CATEGORIES[index % CATEGORIES.length];
		const reviews = composeReviews({ pid, category }, (index * 7) % 65, random).map(
			({ rating, title, body, author, publishedAt }) => ({ rating, title, body, author, publishedAt }),
		);
		yield { pid, name: `Product ${pid}`, category, reviews };
	}
}

async function answerFor(pid) {
	const answer = await fetch(
		`${sandbox.url}/api/llmRvwHTML?wsid=${sandbox.wsid}&pid=${pid}&ihtml=true&ijsonld=true`,
	);
	return answer.text();
}

function payloadFor(text, pid) {
	return text.replaceAll(JSON.parse(text).pid, pid);
}
