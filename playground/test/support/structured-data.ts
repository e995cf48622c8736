import { readFile } from 'node:fs/promises';
import Validator from '@adobe/structured-data-validator';
import WebAutoExtractor from '@marbec/web-auto-extractor';

const VOCABULARY = new URL('../../../test/corpora/schemaorg-all-https.jsonld', import.meta.url);
const validator = new Validator(JSON.parse(await readFile(VOCABULARY, 'utf8')));

/** The parts of what the two packages return that are used here. */
type Nodes = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
type Extracted = Readonly<Record<'jsonld' | 'microdata' | 'rdfa', Nodes>>;
interface Issue {
	readonly severity: 'ERROR' | 'WARNING';
	readonly issueMessage: string;
	/** From the top node down; missing if the script itself cannot be parsed. */
	readonly path?: readonly { readonly type?: string; readonly property?: string; readonly index?: number }[];
}

/**
 * Runs Adobe's validator, which knows the requirements of search engines and the vocabulary of schema.org. Returns its
 * findings in a page, such as `ERROR Product.review[0].author: Required attribute "name" is missing`.
 */
export async function findIssues(html: string): Promise<string[]> {
	const issues: Issue[] = await validator.validate(extract(html));
	return issues.filter(isFault).map((issue) => `${issue.severity} ${placeOf(issue)}: ${issue.issueMessage}`);
}

/** All top-level nodes of a page, in any of the three formats; nested nodes are not listed separately. */
export function readNodes(html: string): readonly Readonly<Record<string, unknown>>[] {
	const { jsonld, microdata, rdfa } = extract(html);
	return [jsonld, microdata, rdfa].flatMap((nodes) => Object.values(nodes).flat());
}

function extract(html: string): Extracted {
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
