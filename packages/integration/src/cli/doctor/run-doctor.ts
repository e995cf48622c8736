import { ASTRO_VERSION } from '../../astro/check-environment.js';
import { printableJson } from '../../text/clean-text.js';
import { VERSION } from '../../version.js';
import { loadSite, type SitePlace } from '../site/load-site.js';
import { diagnose } from './diagnose.js';
import { factsWithoutSite, gatherFacts } from './gather/gather-facts.js';
import { troubleOf } from './gather/trouble.js';
import { printDiagnosis } from './print-diagnosis.js';

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
