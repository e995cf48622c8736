import { readFile } from 'node:fs/promises';
import Validator, { type Issue } from '@adobe/structured-data-validator';
import WebAutoExtractor from '@marbec/web-auto-extractor';

const VOCABULARY = new URL('../../../test/corpora/schemaorg-all-https.jsonld', import.meta.url);
const validator = new Validator(JSON.parse(await readFile(VOCABULARY, 'utf8')));
const SCRIPT = /(<script type="application\/ld\+json"[^>]*>)(.*?)<\/script>/s;

/** A node of structured data, and its properties. */
export type StatedNode = Readonly<Record<string, unknown>>;

/**
 * Runs Adobe's validator, which knows the requirements of search engines and the vocabulary of schema.org. Returns its
 * findings in a page, such as `ERROR Product.review[0].author: Required attribute "name" is missing`.
 */
export async function findIssues(html: string): Promise<string[]> {
	const issues = await validator.validate(extract(html));
	return issues.filter(isFault).map((issue) => `${issue.severity} ${placeOf(issue)}: ${issue.issueMessage}`);
}

/** All top-level nodes of a page, in any of the three formats; nested nodes are not listed separately. */
export function readNodes(html: string): StatedNode[] {
	const { jsonld, microdata, rdfa } = extract(html);
	return [jsonld, microdata, rdfa].flatMap((nodes) => Object.values(nodes).flat());
}

/**
 * Returns the page with a different value in its script.
 * @param path such as `review.0.author.name`
 * @param value `undefined` removes the property.
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

/** Missing optional values, such as a product's colour or a review's date, are not an error. */
function isFault({ severity, issueMessage }: Issue): boolean {
	return severity === 'ERROR' || !issueMessage.startsWith('Missing ');
}

function placeOf({ path = [] }: Issue): string {
	const [top, ...below] = path;
	const steps = below.map(({ property, index }) => `.${property}${index === undefined ? '' : `[${index}]`}`);
	return `${top?.type ?? 'script'}${steps.join('')}`;
}
