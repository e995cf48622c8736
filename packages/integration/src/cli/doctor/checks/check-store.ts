import { age, count, size } from '../../../text/words.js';
import { type Facts, type Finding, findingsOf } from '../facts.js';

const { ok, warning, problem } = findingsOf('Store');

/** "3 h", or "3 h to 2 d". */
function range(least: string, most: string): string {
	return least === most ? least : `${least} to ${most}`;
}

/** Whether the store is there, whole, and of this website id. */
export function checkStore({ store, site, now }: Facts): Finding[] {
	if (!site) return [];
	if (store.state === 'missing') {
		return [
			warning('File', `There is no store at "${store.name}": nothing was built here yet.`, {
				code: 'PR_STORE_MISSING',
				next: 'Run "npx astro build".',
			}),
		];
	}
	if (store.state === 'unusable') {
		return [
			problem('File', `"${store.name}" cannot be used: ${store.reason}.`, {
				code: 'PR_STORE_UNUSABLE',
				next: 'Build again: a damaged file is set aside, and a new one made.',
			}),
		];
	}
	const { name, bytes, products, oldest, newest, damaged, others, hasSetAside } = store;
	const ages =
		oldest === undefined || newest === undefined
			? ''
			: `, fetched ${range(age(now - newest), age(now - oldest))} ago`;
	return [
		ok('File', `"${name}", ${size(bytes)}`),
		ok('Products', `${count(products, 'product')}${ages}`),
		...(products === 0 && others > 0
			? [
					warning('Account', `It has only ${count(others, 'product')} of another website id or address.`, {
						next: 'Check the address and the website id, or build once with the new ones.',
					}),
				]
			: []),
		...(damaged > 0
			? [
					warning(
						'Damage',
						`${count(damaged, 'row')} of the store ${damaged === 1 ? 'is' : 'are'} damaged.`,
						{
							code: 'PR_STORE_UNUSABLE',
							next: 'Build again: damaged rows are fetched again. Check the disk and the CI cache.',
						},
					),
				]
			: []),
		...(hasSetAside
			? [
					warning(
						'Set aside',
						`An earlier store could not be used, and was renamed to "${name}.set-aside".`,
						{
							code: 'PR_STORE_UNUSABLE',
							next: 'Check the disk and the CI cache, then delete that file.',
						},
					),
				]
			: []),
	];
}
