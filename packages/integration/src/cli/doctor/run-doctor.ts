import { stripVTControlCharacters, styleText } from 'node:util';
import { ASTRO_VERSION } from '../../astro/check-environment.js';
import { explainCommand } from '../../errors.js';
import { count, plainLine, printableJson } from '../../text/words.js';
import { VERSION } from '../../version.js';
import { loadSite, type SitePlace } from '../site/load-site.js';
import { type Diagnosis, diagnose } from './diagnose.js';
import { type Finding, GROUPS } from './facts.js';
import { factsWithoutSite, gatherFacts } from './gather/gather-facts.js';
import { troubleOf } from './gather/trouble.js';

/** What to diagnose, and how to say it. */
export interface DoctorContext {
	/** The working directory. */
	readonly cwd: string;
	readonly place: SitePlace;
	/** The product to look at. @default the first of the product list */
	readonly pid: string | undefined;
	readonly json: boolean;
	readonly hasColour: boolean;
}

/** What was found. */
export interface DoctorResult {
	readonly text: string;
	/** Whether anything is wrong. Warnings are not. */
	readonly isSound: boolean;
}

/** Diagnoses a project. It changes nothing, and asks the service at most three times. */
export async function runDoctor({ cwd, place, pid, json, hasColour }: DoctorContext): Promise<DoctorResult> {
	const question = { ...place, cwd, pid, astroVersion: ASTRO_VERSION };
	const facts = await loadSite(place).then(
		(site) => gatherFacts(site, question),
		(error) => factsWithoutSite(troubleOf(error, 'PR_CONFIG_NOT_LOADED'), question),
	);
	const diagnosis = diagnose(facts);
	const { settings } = facts;
	const text = json
		? `${printableJson({ version: VERSION, ...diagnosis, settings }, '\t')}\n`
		: printDiagnosis(diagnosis, hasColour);
	return { text, isSound: diagnosis.verdict === 'ok' };
}

const WIDTH = 80;

/** Column in which texts begin: sign, and the longest name of a check. */
const INDENT = 18;

const MOST_LETTERS = 600;

const SIGNS = { ok: '✓', warning: '!', problem: '✗' } as const;

const COLOURS = { ok: 'green', warning: 'yellow', problem: 'red' } as const;

type Style = Parameters<typeof styleText>[0];

/**
 * A diagnosis for people, in lines of at most 80 columns.
 * @param hasColour whether the terminal shows colours.
 */
export function printDiagnosis(diagnosis: Diagnosis, hasColour: boolean): string {
	const paint = (style: Style, text: string) =>
		hasColour ? styleText(style, text, { validateStream: false }) : text;
	const groups = GROUPS.map((group) => ({
		group,
		findings: diagnosis.findings.filter((finding) => finding.group === group),
	})).filter(({ findings }) => findings.length > 0);
	const lines = [
		paint('bold', `astro-product-reviews ${VERSION}`),
		...groups.flatMap(({ group, findings }) => [
			'',
			paint('bold', group),
			...findings.flatMap((finding) => printFinding(finding, paint)),
		]),
		'',
		...printVerdict(diagnosis, paint),
	];
	return lines.map((line) => `${line}\n`).join('');
}

type Paint = (style: Style, text: string) => string;

function printFinding({ check, state, text, code }: Finding, paint: Paint): string[] {
	const [first = '', ...rest] = wrap(plainLine(stripVTControlCharacters(text), MOST_LETTERS), INDENT);
	const head = `  ${paint(COLOURS[state], SIGNS[state])} ${check.padEnd(INDENT - 4)}`;
	const reference = code === undefined ? [] : [`${' '.repeat(INDENT)}${paint('dim', code)}`];
	return [head + first, ...rest.map((line) => ' '.repeat(INDENT) + line), ...reference];
}

function printVerdict({ verdict, problems, warnings, next, findings }: Diagnosis, paint: Paint): string[] {
	const counts = [problems > 0 && count(problems, 'problem'), warnings > 0 && count(warnings, 'warning')];
	const found = counts.filter(Boolean).join(' and ');
	const colour = verdict === 'problems' ? COLOURS.problem : warnings > 0 ? COLOURS.warning : COLOURS.ok;
	const lines = [paint(['bold', colour], found === '' ? 'Everything is in order.' : `Found ${found}.`)];
	if (next.length > 0) lines.push('', paint('bold', 'Next steps'));
	for (const [index, step] of next.entries()) {
		const [first = '', ...rest] = wrap(plainLine(step, MOST_LETTERS), 5);
		lines.push(`  ${index + 1}. ${first}`, ...rest.map((line) => `     ${line}`));
	}
	const code = findings.find((finding) => finding.state === 'problem' && finding.code)?.code;
	if (code) lines.push('', 'More about the codes:', `  ${explainCommand(code)}`);
	return lines;
}

/** Words in lines that leave room for an indent. A longer word has a line of its own; a number stays with its unit. */
function wrap(text: string, indent: number): string[] {
	const lines: string[] = [];
	for (const word of text.split(/(?<!\d) | (?!(?:ms|s|min|h|d|B|KB|MB)\b)/)) {
		const last = lines.at(-1);
		if (last !== undefined && last.length + 1 + word.length <= WIDTH - indent) {
			lines[lines.length - 1] = `${last} ${word}`;
		} else lines.push(word);
	}
	return lines;
}
