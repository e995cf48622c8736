import { printable, type Show } from '../printable.js';

/**
 * Describes the products of a request for an error message.
 *
 * @example describeProducts(['p-1']) // 'product "p-1"'
 * @example describeProducts(['a', 'b', 'c', 'd', 'e']) // '5 products ("a", "b", "c", ...)'
 */
export function describeProducts(pids: readonly string[], show: Show = printable): string {
	const names = pids.slice(0, MAX_PIDS_SHOWN).map((pid) => `"${show(pid, MAX_PID_LENGTH)}"`);
	if (pids.length === 1) return `product ${names[0]}`;
	return `${pids.length} products (${names.join(', ')}${pids.length > names.length ? ', ...' : ''})`;
}

const MAX_PIDS_SHOWN = 3;
const MAX_PID_LENGTH = 80;
