import { count } from '../../../text/words.js';
import {
	type Facts,
	type Finding,
	findingsOf,
	type ListFacts,
	type Setting,
	type SiteFacts,
} from '../facts.js';

const { ok, warning, problem } = findingsOf('Configuration');

const NAMES = { baseUrl: 'Service', wsid: 'Website id', token: 'Token' } as const;

/** The values that are set, where each came from, and the product list. */
export function checkConfiguration({ settings, site, list }: Facts): Finding[] {
	const values = settings.flatMap((setting) => {
		const { id } = setting;
		return id === 'webhookSecret' || id === 'webhookKey' ? [] : [checkValue(setting, NAMES[id], site)];
	});
	return [
		...values,
		...(site ? [checkOptions(site), checkList(list)] : []),
		...(site?.connectionTrouble && isAnother(site.connectionTrouble.code)
			? [
					problem('Service', site.connectionTrouble.reason, {
						code: site.connectionTrouble.code,
						next: 'Give scheme and host, such as https://reviews.example.',
					}),
				]
			: []),
	];
}

/** What is not set at all is reported with the setting. */
function isAnother(code: string): boolean {
	return code !== 'PR_NOT_CONFIGURED';
}

function checkValue(setting: Setting, check: string, site: SiteFacts | undefined): Finding {
	const { id, variable, shown, origin, hides } = setting;
	const set = `Set ${variable} in the environment or in .env, also wherever the site is built.`;
	if (shown === undefined && origin !== undefined && hides !== undefined) {
		return problem(check, `${variable} is empty in ${origin}, which takes precedence over ${hides}.`, {
			code: id === 'token' ? 'PR_MISSING_TOKEN' : 'PR_NOT_CONFIGURED',
			next: `Remove the empty ${variable} from ${origin}.`,
		});
	}
	if (shown === undefined && id !== 'token') {
		return problem(check, `Not set: neither the option "${id}" nor ${variable}.`, {
			code: 'PR_NOT_CONFIGURED',
			next: set,
		});
	}
	if (shown === undefined) return checkNoToken(check, site, set);
	const ignored = hides === undefined ? '' : `; a different one in ${hides} is not used`;
	return ok(check, `${shown}, from ${origin}${ignored}`);
}

function checkNoToken(check: string, site: SiteFacts | undefined, next: string): Finding {
	const { revalidate, authorizeCrawlerHtml } = site?.options ?? {};
	const option =
		revalidate === 'ratings' ? 'revalidate' : authorizeCrawlerHtml ? 'authorizeCrawlerHtml' : undefined;
	if (option === undefined) return ok(check, 'not set; only review data and ratings in lists need one');
	return problem(check, `Not set, but the option "${option}" needs it.`, { code: 'PR_MISSING_TOKEN', next });
}

function checkOptions({ changed }: SiteFacts): Finding {
	return ok('Options', changed.length === 0 ? 'all have their defaults' : `set: ${changed.join(', ')}`);
}

function checkList(list: ListFacts): Finding {
	if (list.state === 'failed') {
		const { code, reason, next } = list.trouble;
		return problem('Product list', reason, { code, next: next ?? 'Check the option "products".' });
	}
	if (list.state === 'read') {
		const length = list.length === undefined ? 'of unknown length' : count(list.length, 'product');
		return ok('Product list', `${length}, the first is "${list.first}"`);
	}
	return warning('Product list', 'The option "products" is not set: pages fetch one after another.', {
		next: 'Set "products" to the ids of all products, so that a build fetches them ahead.',
	});
}
