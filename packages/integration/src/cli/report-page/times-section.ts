import { type Html, html } from '../../render/html.js';
import { amount, count } from '../../text/words.js';
import { countTimes, percentile } from './answer-times.js';
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
