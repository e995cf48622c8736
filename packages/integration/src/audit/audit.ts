import type { AggregateRating } from '../parse/rating.js';
import type { ProductFacts } from '../render/fragment.js';
import { count, nameProducts } from '../text/words.js';
import { type AuditRule, judgeForms, judgePage, RULES } from './rules.js';

export interface Finding {
	readonly rule: AuditRule;
	readonly pids: readonly string[];
}

export type PageFinding = Finding & { readonly page: string };

export function auditPage(facts: readonly ProductFacts[]): Finding[] {
	const judged = judgePage(facts).filter(({ broken }) => broken.length > 0);
	return judged.map(({ rule, broken }) => ({ rule: rule.name, pids: broken }));
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
		return [...this.#findings].flatMap(([page, found]) =>
			found.map(({ rule, pids }) => ({ rule, page, pids })),
		);
	}
}

interface NotedForms {
	readonly counts: Set<number>;
	readonly averages: Set<number>;
	shown: number;
	fed: number;
	/** A page that shows reviews of the product. */
	page: string | undefined;
}

/** Compares what pages and feeds say of each product. */
export class FormsAudit {
	readonly #products = new Map<string, NotedForms>();

	/** Notes what a page shows, again if more is known of it. */
	addPage(page: string, facts: readonly ProductFacts[]): void {
		for (const one of facts) {
			const product = this.#of(one.pid);
			if ('count' in one && one.count !== undefined) product.counts.add(one.count);
			if (one.component === 'ReviewSchema' || 'shown' in one) product.page ??= page;
			// What own markup shows is not known: it gets the benefit of the doubt.
			const isAll = one.component === 'own-markup' || ('isAll' in one && one.isAll);
			const isSeen = !('display' in one) || one.display !== 'hidden';
			const shown = isAll ? Number.POSITIVE_INFINITY : 'shown' in one ? one.shown : 0;
			if (isSeen) product.shown = Math.max(product.shown, shown);
		}
	}

	/** Notes what a feed says. @param fed how many reviews of the product it has */
	addForm(pid: string, rating: AggregateRating | undefined, fed = 0): void {
		const product = this.#of(pid);
		if (rating) {
			product.counts.add(rating.count);
			product.averages.add(rating.average);
		}
		product.fed = Math.max(product.fed, fed);
	}

	/** Returns the findings about products that pages show. */
	get findings(): readonly PageFinding[] {
		return [...this.#products].flatMap(([pid, { page, ...forms }]) =>
			page === undefined ? [] : judgeForms(forms).map((rule) => ({ rule, page, pids: [pid] })),
		);
	}

	#of(pid: string): NotedForms {
		const empty: NotedForms = {
			counts: new Set<number>(),
			averages: new Set<number>(),
			shown: 0,
			fed: 0,
			page: undefined,
		};
		const known = this.#products.get(pid) ?? empty;
		this.#products.set(pid, known);
		return known;
	}
}

const MAX_NAMED = 5;

/** Describes each rule that pages break in a line: the problem, where it is, and the remedy. */
export function describeFindings(findings: readonly PageFinding[]): string[] {
	const byRule = Map.groupBy(findings, ({ rule }) => rule);
	return RULES.flatMap(({ name, wrong, remedy }) => {
		const pages = [...new Set(byRule.get(name)?.map(({ page }) => page))];
		if (pages.length === 0) return [];
		return `${count(pages.length, 'page')}: ${wrong}: ${nameProducts(pages, MAX_NAMED)}. ${remedy}`;
	});
}
