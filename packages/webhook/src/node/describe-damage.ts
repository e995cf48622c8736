import { basename } from 'node:path';
import { count } from '../collect/wording.js';
import type { Damage } from './mend-rows.js';

/** Says in a log line what was wrong with the file of waiting changes, and what follows. */
export function describeDamage({ rows, isChangeLost, setAside }: Damage): string {
	const fact = setAside
		? `The file of waiting changes was damaged (${setAside.reason}). It was renamed to "${basename(setAside.to)}", and a new one was started.`
		: `The file of waiting changes had ${count(rows, 'damaged row')}, which ${rows === 1 ? 'was' : 'were'} removed.`;
	const consequence = isChangeLost
		? 'It may have lost which products changed, so the next rebuild is for all products.'
		: 'No product was lost; an event that is sent again may cause one more rebuild.';
	return `${fact} ${consequence} If this keeps happening, check the disk.`;
}
