import { fieldsOf } from '../records/field-reader.js';
import { seal, unseal } from './stored-answer.js';

export interface Change {
	readonly id: string;
	readonly pid: string | undefined;
}

/** Most changes to keep. Whoever missed more takes all products for changed. */
const MOST_CHANGES = 1_000;

/** More products than this are one change of all. */
const MOST_AT_ONCE = 500;

export function createChanges(pids: readonly string[] | undefined): Change[] {
	const named = pids === undefined || pids.length > MOST_AT_ONCE ? [undefined] : pids;
	return named.map((pid) => ({ id: crypto.randomUUID().slice(0, 13), pid }));
}

/**
 * The latest changes, oldest first. Each answer is stored with the last change that was known when it was requested, so
 * whether it is outdated depends on nobody's clock.
 */
export class ChangeList {
	readonly #positions = new Map<string, number>();
	readonly #lastOf = new Map<string | undefined, number>();
	readonly #changes: readonly Change[];

	constructor(changes: readonly Change[] = []) {
		this.#changes = changes.slice(-MOST_CHANGES);
		for (const [position, { id, pid }] of this.#changes.entries()) {
			this.#positions.set(id, position);
			this.#lastOf.set(pid, position);
		}
	}

	get last(): string {
		return this.#changes.at(-1)?.id ?? '';
	}

	has({ id }: Pick<Change, 'id'>): boolean {
		return this.#positions.has(id);
	}

	with(added: readonly Change[]): ChangeList {
		return new ChangeList([...this.#changes, ...added.filter((change) => !this.has(change))]);
	}

	isOutdated(pid: string, last: string): boolean {
		const position = this.#positions.get(last) ?? -1;
		const mayLack = position === -1 && this.#changes.length === MOST_CHANGES;
		const lastChange = Math.max(this.#lastOf.get(pid) ?? -1, this.#lastOf.get(undefined) ?? -1);
		return mayLack || lastChange > position;
	}

	since(earlier: ChangeList): readonly string[] | 'all' {
		const added = this.#changes.filter((change) => !earlier.has(change));
		const pids = added.flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
		return pids.length < added.length || added.length === MOST_CHANGES ? 'all' : pids;
	}

	toText(account: string): string {
		return seal({ account, changes: this.#changes.map(({ id, pid }) => [id, pid]) }) ?? '';
	}

	static fromText(account: string, text: string | undefined): ChangeList {
		const fields = fieldsOf(unseal(text));
		const { changes } = fields;
		if (fields['account'] !== account || !Array.isArray(changes)) return new ChangeList();
		return new ChangeList(
			changes.slice(-MOST_CHANGES).flatMap((change) => {
				const [id, pid] = Array.isArray(change) ? change : [];
				const isId = typeof id === 'string' && /^[\w-]{1,64}$/.test(id);
				const isPid = pid === null || pid === undefined || typeof pid === 'string';
				return isId && isPid ? [{ id, pid: pid ?? undefined }] : [];
			}),
		);
	}
}
