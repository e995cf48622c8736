import { readFile } from 'node:fs/promises';
import Validator, { type Issue } from '@adobe/structured-data-validator';
import WebAutoExtractor from '@marbec/web-auto-extractor';

const VOCABULARY = new URL('../../../test/corpora/schemaorg-all-https.jsonld', import.meta.url);
const validator = new Validator(JSON.parse(await readFile(VOCABULARY, 'utf8')));
const SCRIPT = /(<script type="application\/ld\+json"[^>]*>)(.*?)<\/script>/s;

/** One thing that a page states, and its properties. */
export type StatedNode = Readonly<Record<string, unknown>>;

/**
 * What Adobe's validator, which knows what search engines ask for and the vocabulary of schema.org, finds wrong in a
 * page, as `ERROR Product.review[0].author: Required attribute "name" is missing`.
 */
export async function findIssues(html: string): Promise<string[]> {
	const issues = await validator.validate(extract(html));
	return issues.filter(isFault).map((issue) => `${issue.severity} ${placeOf(issue)}: ${issue.issueMessage}`);
}

/** All that a page states, in any of the three formats; things within things are not listed by themselves. */
export function readNodes(html: string): StatedNode[] {
	const { jsonld, microdata, rdfa } = extract(html);
	return [jsonld, microdata, rdfa].flatMap((nodes) => Object.values(nodes).flat());
}

/**
 * The page with another value in its script.
 * @param path such as `review.0.author.name`
 * @param value `undefined` takes the property away.
 */
export function restate(html: string, path: string, value: unknown): string {
	return html.replace(SCRIPT, (_script, tag: string, text: string) => {
		const node = JSON.parse(text);
		const keys = path.split('.');
		const last = keys.pop() ?? '';
		keys.reduce((parent, key) => parent[key], node)[last] = value;
		return `${tag}${JSON.stringify(node).replaceAll('<', '\\u003c')}</script>`;
	});
}

function extract(html: string) {
	return new WebAutoExtractor({ addLocation: true, embedSource: ['rdfa', 'microdata'] }).parse(html);
}

/** The colour of a product, the day of a review: what a store or a service may have and need not is no fault. */
function isFault({ severity, issueMessage }: Issue): boolean {
	return severity === 'ERROR' || !issueMessage.startsWith('Missing ');
}

function placeOf({ path = [] }: Issue): string {
	const [top, ...below] = path;
	const steps = below.map(({ property, index }) => `.${property}${index === undefined ? '' : `[${index}]`}`);
	return `${top?.type ?? 'script'}${steps.join('')}`;
}
