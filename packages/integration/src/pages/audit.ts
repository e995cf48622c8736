import { unlessFailing } from '../base/failures.js';
import { count, nameProduct, nameProducts } from '../base/words.js';
import { checkProduct } from '../render/check-product.js';
import type { ProductFacts } from '../render/fragment.js';
import { isNode, type Node, type ProductProblem } from '../render/read-product.js';
import { hasProductType } from '../render/render-review-schema.js';
import {
	type AuditRule,
	byProduct,
	isStated,
	type PageMarkup,
	type PlacedProduct,
	type PlacementRule,
	RULES,
} from './audit-rules.js';

export interface GivenMarkup extends Pick<PageMarkup, 'microdata' | 'isNoindex'> {
	readonly scripts: readonly string[];
}

/** Reads the structured data of a page. Never throws: what cannot be read breaks a rule. */
export function readMarkup({ scripts: texts, ...others }: GivenMarkup): PageMarkup {
	const scripts = texts.map((text, index) => ({
		name: `script ${index + 1}`,
		text,
		value: unlessFailing(() => JSON.parse(text)),
	}));
	const nodes = scripts
		.flatMap(({ value }) => rootsOf(value))
		.filter((node) => hasProductType(typesOf(node)) && !('isVariantOf' in node));
	const products = mergeById(nodes).map((node) => ({ name: nameOf(node), node }));
	return { ...others, scripts, products };
}

/** Returns the types of a node, without the address of the vocabulary. */
function typesOf(node: Node): string[] {
	return [node['@type']].flat().map((type) => String(type).replace(/^.*[/:]/, ''));
}

/** Returns the nodes that stand alone: elements of lists and graphs, and what a page says that it is about. */
function rootsOf(value: unknown): Node[] {
	return [value]
		.flat()
		.flatMap((one) => (isNode(one) && '@graph' in one ? [one['@graph']].flat() : [one]))
		.filter(isNode)
		.flatMap((node) => [node, ...[node['mainEntity']].flat().filter(isNode)]);
}

/** Merges nodes with the same `@id`, as search engines do. */
function mergeById(nodes: readonly Node[]): Node[] {
	const merged = new Map<unknown, Node>();
	for (const node of nodes) {
		const id = node['@id'] ?? node;
		merged.set(id, { ...merged.get(id), ...node });
	}
	return [...merged.values()];
}

function nameOf(node: Node): string {
	return nameProduct(String(node['name'] ?? node['@id'] ?? typesOf(node)[0]));
}

type Rule = (typeof RULES)[number];

interface Judgement {
	readonly rule: Rule;
	/** `true` if the page has anything that the rule is about. */
	readonly isAbout: boolean;
	/** Names of all that breaks the rule: ids of products, or parts of the markup. */
	readonly broken: readonly string[];
	/** Names values and their fields, for rules about values. */
	readonly written?: readonly string[];
}

/** Judges a finished page by every rule, or by those that need no markup. */
export function judgePage(facts: readonly ProductFacts[], markup?: PageMarkup): Judgement[] {
	const page = byProduct(facts);
	const inMarkup = markup?.products.flatMap(({ node }) => checkProduct(node));
	const hasProduct = page.some(isStated) || (markup !== undefined && markup.products.length > 0);
	return RULES.flatMap((rule) => {
		if ('areWrong' in rule) return [];
		if ('judge' in rule) return markup ? { rule, ...rule.judge(markup) } : [];
		if ('problem' in rule) return { rule, isAbout: hasProduct, ...judgeProduct(rule, page, inMarkup) };
		const { about = isStated, isBroken }: PlacementRule = rule;
		const broken = page.filter((product) => isBroken(product, page)).map(({ pid }) => pid);
		return { rule, isAbout: page.some(about), broken };
	});
}

/**
 * Judges values of products by a rule.
 * @param inMarkup problems of the finished page: a value that was left out is not among them. @default the page is not finished
 */
function judgeProduct(
	rule: Extract<Rule, { problem: unknown }>,
	page: readonly PlacedProduct[],
	inMarkup: readonly ProductProblem[] | undefined,
): Pick<Judgement, 'broken' | 'written'> {
	const placed = page.filter(({ problems }) => problems.some(({ kind }) => kind === rule.problem));
	const problems = [...placed.flatMap((product) => product.problems), ...(inMarkup ?? [])];
	const written = new Set(problems.filter(({ kind }) => kind === rule.problem).map(describeProblem));
	return {
		broken: inMarkup ? [...written] : placed.map(({ pid }) => pid),
		written: [...written],
	};
}

const describeProblem = ({ field, written }: ProductProblem) => `${field} is ${nameProduct(written)}`;

export interface Finding {
	readonly rule: AuditRule;
	readonly pids: readonly string[];
	/** Names values and their fields, if the rule is about values. */
	readonly written?: readonly string[];
}

export type PageFinding = Finding & { readonly page: string };

export function auditPage(facts: readonly ProductFacts[]): Finding[] {
	const judged = judgePage(facts).filter(({ broken }) => broken.length > 0);
	return judged.map(({ rule, broken, written }) => ({
		...{ rule: rule.name, pids: broken },
		...(written && { written }),
	}));
}

export class Audit {
	readonly #findings = new Map<string, readonly Finding[]>();
	readonly #ownMarkup = new Set<string>();

	/** Notes that a product has its own markup somewhere. A page may show it even if another page, or none, asked for it. */
	addOwnMarkup(pid: string): void {
		this.#ownMarkup.add(pid);
	}

	/** Audits a page, again if more is known of it. */
	add(page: string, facts: readonly ProductFacts[]): void {
		const own = facts.filter(({ pid }) => this.#ownMarkup.has(pid));
		this.#findings.set(
			page,
			auditPage([...facts, ...own.map(({ pid }) => ({ component: 'own-markup' as const, pid }))]),
		);
	}

	get pages(): number {
		return this.#findings.size;
	}

	/** Adds what was found by comparing pages and feeds. */
	addAll(forms: readonly PageFinding[]): void {
		for (const { page, ...finding } of forms)
			this.#findings.set(page, [...(this.#findings.get(page) ?? []), finding]);
	}

	get findings(): readonly PageFinding[] {
		return [...this.#findings].flatMap(([page, found]) => found.map((finding) => ({ ...finding, page })));
	}
}

const MAX_NAMED = 5;

/** Describes each rule that pages break in a line: the problem, where it is, and the remedy. */
export function describeFindings(findings: readonly PageFinding[]): string[] {
	const byRule = Map.groupBy(findings, ({ rule }) => rule);
	return RULES.flatMap(({ name, wrong, remedy }) => {
		const found = byRule.get(name) ?? [];
		const pages = [...new Set(found.map(({ page }) => page))];
		if (pages.length === 0) return [];
		const written = [...new Set(found.flatMap((finding) => finding.written ?? []))].slice(0, MAX_NAMED);
		const values = written.length > 0 ? ` (${written.join(', ')})` : '';
		return `${count(pages.length, 'page')}: ${wrong}: ${nameProducts(pages, MAX_NAMED)}${values}. ${remedy} [PR_AUDIT_FAILED]`;
	});
}
