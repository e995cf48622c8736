import { stripVTControlCharacters, styleText } from 'node:util';
import { codeOf, describeCause, describeFailure, withoutCredentials } from '../base/failures.js';
import { count, plainLine } from '../base/words.js';
import { VERSION } from '../constants.js';
import { type ErrorCode, explainCommand } from '../errors.js';
import { ERROR_CATALOG } from './catalog.js';
import { hanging } from './terminal.js';

/** Parts of a diagnosis, in order. */
const GROUPS = [
	'Project',
	'Configuration',
	'Service',
	'Product',
	'Cache',
	'Last build',
	'New reviews',
] as const;

type Group = (typeof GROUPS)[number];

interface Advice {
	/** Remedy. @default the one in the catalog for the code */
	readonly next?: string | undefined;
	readonly code?: ErrorCode | undefined;
}

interface Finding extends Advice {
	readonly group: Group;
	/** The name of the check: one or two words. */
	readonly check: string;
	/** A `'problem'` keeps reviews from pages, or is likely to; a `'warning'` may be intended. */
	readonly state: 'ok' | 'warning' | 'problem';
	readonly text: string;
}

export class Findings {
	readonly #all: Finding[] = [];

	/** Functions that add a finding of one group. */
	in(group: Group) {
		const add =
			(state: Finding['state']) =>
			(check: string, text: string, { code, next = code && ERROR_CATALOG[code]?.remedy }: Advice = {}) =>
				void this.#all.push({ group, check, state, text, next, code });
		return { ok: add('ok'), warning: add('warning'), problem: add('problem') };
	}

	diagnosis() {
		const of = (state: Finding['state']) => this.#all.filter((finding) => finding.state === state);
		const [problems, warnings] = [of('problem'), of('warning')];
		return {
			verdict: problems.length > 0 ? 'problems' : 'ok',
			problems: problems.length,
			warnings: warnings.length,
			findings: this.#all.toSorted((one, other) => GROUPS.indexOf(one.group) - GROUPS.indexOf(other.group)),
			/** Sentences that say what to do, the most urgent first. */
			next: [...new Set([...problems, ...warnings].flatMap(({ next }) => next ?? []))],
		};
	}
}

/** An error as a finding needs it. */
export interface Trouble extends Advice {
	readonly code: ErrorCode;
	readonly reason: string;
}

/** @param fallback the code of an error that has none. */
export function troubleOf(error: unknown, fallback: ErrorCode): Trouble {
	if (!(error instanceof Error && 'hint' in error && typeof error.hint === 'string')) {
		const code = codeOf(error);
		return { code: code === 'PR_SERVICE_FAILED' ? fallback : code, reason: describeCause(error) };
	}
	// Its message has as much of its cause as people need.
	const reason = describeFailure(error, withoutCredentials);
	// A hint may be a list, and ends with the code.
	const lines = error.hint.split('\n').filter((line) => !/^PR_[A-Z_]+: /.test(line));
	const next = lines.map((line) => line.replace(/^- /, '')).join(' ');
	// Its class may be that of another copy of this package, which the configuration has loaded.
	const isOwn = 'code' in error && String(error.code).startsWith('PR_');
	return { code: isOwn ? (error.code as ErrorCode) : fallback, reason, next };
}

/** In columns: a sign, and the longest name of a check. */
const INDENT = 18;

/** In UTF-16 code units. */
const MAX_LENGTH = 600;

const SIGNS = { ok: '✓', warning: '!', problem: '✗' } as const;

const COLORS = { ok: 'green', warning: 'yellow', problem: 'red' } as const;

/** Formats a diagnosis for people, in lines of at most 80 columns, and in colors on a terminal that has some. */
export function printDiagnosis(diagnosis: ReturnType<Findings['diagnosis']>): string {
	const { problems, warnings, findings, next } = diagnosis;
	const clean = (text: string) => plainLine(stripVTControlCharacters(text), MAX_LENGTH);
	const lines = [styleText('bold', `astro-product-reviews ${VERSION}`)];
	for (const [group, some] of Map.groupBy(findings, (finding) => finding.group)) {
		lines.push('', styleText('bold', group));
		for (const { check, state, text, code } of some) {
			const head = `  ${styleText(COLORS[state], SIGNS[state])} ${check.padEnd(INDENT - 4)}`;
			lines.push(...hanging(head, clean(text), INDENT));
			if (code !== undefined) lines.push(`${' '.repeat(INDENT)}${styleText('dim', code)}`);
		}
	}
	const counts = [problems > 0 && count(problems, 'problem'), warnings > 0 && count(warnings, 'warning')];
	const all = counts.filter(Boolean).join(' and ');
	const worst = problems > 0 ? 'problem' : warnings > 0 ? 'warning' : 'ok';
	lines.push(
		'',
		styleText(['bold', COLORS[worst]], all === '' ? 'Everything is in order.' : `Found ${all}.`),
	);
	if (next.length > 0) lines.push('', styleText('bold', 'Next steps'));
	for (const [index, step] of next.entries()) lines.push(...hanging(`  ${index + 1}. `, clean(step), 5));
	const code = findings.find((finding) => finding.state === 'problem' && finding.code)?.code;
	if (code) lines.push('', 'More about the codes:', `  ${explainCommand(code)}`);
	return lines.map((line) => `${line}\n`).join('');
}
