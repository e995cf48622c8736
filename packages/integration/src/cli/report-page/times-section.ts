import { type Html, html } from '../../render/html.js';
import { amount, count } from '../../text/words.js';
import type { Answer } from './answers.js';
import { bar, foreign, listed, section, timeText } from './parts.js';

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
