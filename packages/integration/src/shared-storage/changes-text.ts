import { fieldsOf } from '../parse/field-reader.js';
import { seal, unseal } from './sealed-text.js';
import { checkId } from './stored-answer.js';

/** An event: reviews of a product changed. */
export interface SharedEvent {
	readonly id: string;
	/** `undefined` if it may be any product. */
	readonly pid: string | undefined;
	/** Whether the reviews of all products may have changed, and not only those of some that are too many to list. */
	readonly isOfAll?: boolean;
}

/** The latest events, oldest first. */
export interface Changes {
	/** Id of the last event of all products. */
	readonly all: string | undefined;
	readonly events: readonly SharedEvent[];
}

/** Most events to keep. An instance that missed more looks up every product that it remembers. */
export const MOST_EVENTS = 256;

const NO_CHANGES: Changes = { all: undefined, events: [] };

export function writeChanges(account: string, { all, events }: Changes): string {
	return seal({ account, all, events: events.map(({ id, pid }) => [id, pid]) }) ?? '';
}

/** Reads what {@link writeChanges} wrote; anything else contains no events. */
export function readChanges(account: string, text: unknown): Changes {
	const fields = fieldsOf(unseal(text));
	const { all, events } = fields;
	if (fields['account'] !== account || !Array.isArray(events)) return NO_CHANGES;
	return {
		all: checkId(all),
		events: events.slice(-MOST_EVENTS).flatMap((event) => {
			const [given, pid] = Array.isArray(event) ? event : [];
			const id = checkId(given);
			const isPid = pid === null || pid === undefined || typeof pid === 'string';
			return id !== undefined && isPid ? [{ id, pid: pid ?? undefined }] : [];
		}),
	};
}

/** Adds events that are not there yet, and drops the oldest. */
export function addEvents({ all, events }: Changes, own: readonly SharedEvent[]): Changes {
	const added = own.filter(({ id }) => !events.some((event) => event.id === id));
	return {
		all: added.findLast(({ isOfAll }) => isOfAll)?.id ?? all,
		events: [...events, ...added].slice(-MOST_EVENTS),
	};
}
