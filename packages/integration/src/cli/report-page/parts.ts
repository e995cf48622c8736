import { type Html, html } from '../../render/html.js';
import type { ProductReport, ResourceReport } from '../../report/report.js';
import { amount, count, plainLine } from '../../text/words.js';

/** Letters shown of a product id, an address of a page, and a reason. */
const MOST_LETTERS = { id: 60, page: 120, reason: 200 };

/** A text from outside: on one line, short, escaped, and without influence on the direction of what is around it. */
export function foreign(kind: keyof typeof MOST_LETTERS, text: string): Html {
	const line = plainLine(text, MOST_LETTERS[kind]);
	return line === '' ? html`<i>no visible letters</i>` : html`<bdi>${line}</bdi>`;
}

/** The first `most` items, and a paragraph that counts the others. */
export function listed<Item>(
	items: readonly Item[],
	most: number,
	write: (item: Item) => Html,
): { readonly shown: readonly Html[]; readonly more: Html } {
	const more = items.length - most;
	return {
		shown: items.slice(0, most).map(write),
		more:
			more > 0
				? html`<p class="more">and ${amount(more)} more, which <code>report --json</code> lists</p>`
				: html``,
	};
}

/** Addresses of pages in a line. */
export function pagesLine(pages: readonly string[], most = 3): Html {
	const named = pages.slice(0, most).map((page, index) => html`${index > 0 && ', '}${foreign('page', page)}`);
	const more = pages.length - most;
	return html`${named}${more > 0 && ` and ${amount(more)} more`}`;
}

/** A section with a heading to link to. */
export function section(id: string, heading: string, ...content: readonly Html[]): Html {
	return html`<section id="${id}" aria-labelledby="${id}-heading"><h2 id="${id}-heading">${heading}</h2>${content}</section>\n`;
}

/** A share, as a bar. Its number is beside it, so it is not read out. @param share from 0 to 1 */
function bar(share: number): Html {
	const width = share > 0 ? Math.max(0.5, 100 * share) : 0;
	return html`<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${width.toFixed(1)}" height="1"/></svg>`;
}

/** A time for people, from milliseconds: "850 ms", "1.2 s", "12 min". */
export function timeText(ms: number): string {
	if (ms < 1_000) return `${amount(Math.round(ms))} ms`;
	return ms < 120_000 ? `${(ms / 1_000).toFixed(1)} s` : `${amount(Math.round(ms / 60_000))} min`;
}

/** What a build came to for one resource of a product. */
export interface Answer extends ResourceReport {
	readonly pid: string;
	readonly resource: 'reviews' | 'review data';
	/** Addresses of the pages that show the product. */
	readonly pages: readonly string[];
}

/** The outcomes of a report's products, reviews and review data one after the other. */
export function* answersOf(products: Iterable<ProductReport>): Generator<Answer> {
	for (const { pid, pages, reviewData, status, reason, ms, bytes } of products) {
		const reviews = { ...(status && { status }), ...(reason !== undefined && { reason }), ms, bytes };
		if (status || ms > 0) yield { pid, pages, resource: 'reviews', ...reviews };
		if (reviewData) yield { pid, pages, resource: 'review data', ...reviewData };
	}
}

const MOST_SLOWEST = 20;

/** How long the service took: in short, as a bar chart, and its slowest answers. */
export function timesSection(answers: readonly Answer[]): Html {
	const asked = answers.filter(({ ms }) => ms > 0).sort((one, other) => other.ms - one.ms);
	if (asked.length === 0) return section('times', 'Answer times', html`<p>The service was not asked.</p>`);
	const times = asked.map(({ ms }) => ms).reverse();
	const [median, most, longest] = [0.5, 0.95, 1].map((share) => timeText(percentile(times, share)));
	return section(
		'times',
		'Answer times',
		html`<p>Of ${count(asked.length, 'answer')}, half took at most ${median}, 95% at most ${most}, and the slowest ${longest}. The time of a product includes repeated requests.</p>`,
		chart(times),
		slowest(asked),
	);
}

function chart(times: readonly number[]): Html {
	const ranges = countTimes(times);
	const highest = Math.max(...ranges.map((range) => range.count));
	const rows = ranges.map(
		({ label, count }) =>
			html`<tr><th scope="row">${label}</th><td class="number">${amount(count)}</td><td>${bar(count / highest)}</td></tr>`,
	);
	return html`<table class="chart"><caption>How many answers took how long</caption><thead><tr><th scope="col">Time</th><th scope="col" class="number">Answers</th><td></td></tr></thead><tbody>${rows}</tbody></table>`;
}

function slowest(asked: readonly Answer[]): Html {
	const { shown } = listed(
		asked,
		MOST_SLOWEST,
		({ pid, resource, ms }) =>
			html`<tr><td>${foreign('id', pid)}</td><td>${resource}</td><td class="number">${timeText(ms)}</td></tr>`,
	);
	return html`<table><caption>Slowest answers</caption><thead><tr><th scope="col">Product</th><th scope="col">Request</th><th scope="col" class="number">Time</th></tr></thead><tbody>${shown}</tbody></table>`;
}

/** How many answers took how long. */
interface TimeRange {
	/** @example '10 to 20 ms' */
	readonly label: string;
	readonly count: number;
}

/** In milliseconds. */
const LIMITS = [10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000] as const;

/**
 * Counts times in milliseconds by range, without the empty ranges at both ends.
 * @example countTimes([12, 15, 60]) // 10 to 20 ms: 2, 20 to 50 ms: 0, 50 to 100 ms: 1
 */
function countTimes(times: readonly number[]): TimeRange[] {
	const counts = new Array<number>(LIMITS.length + 1).fill(0);
	for (const time of times) {
		const above = LIMITS.findIndex((limit) => time < limit);
		const index = above < 0 ? LIMITS.length : above;
		counts[index] = (counts[index] ?? 0) + 1;
	}
	const first = counts.findIndex((count) => count > 0);
	const last = counts.findLastIndex((count) => count > 0);
	return counts.map((count, index) => ({ label: labelOf(index), count })).slice(Math.max(0, first), last + 1);
}

/**
 * The time that a share of all times does not exceed.
 * @param sorted from the shortest to the longest, at least one.
 * @param share from 0 to 1.
 */
function percentile(sorted: readonly number[], share: number): number {
	return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

function labelOf(index: number): string {
	const [from, to] = [LIMITS[index - 1], LIMITS[index]];
	if (from === undefined) return `under ${withUnit(LIMITS[0])}`;
	if (to === undefined) return `${withUnit(from)} or more`;
	return to < 1_000 ? `${from} to ${withUnit(to)}` : `${from / 1_000} to ${withUnit(to)}`;
}

function withUnit(ms: number): string {
	return ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`;
}
