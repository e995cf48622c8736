import type { Driver } from 'unstorage';
import { fieldsOf } from '../parse/field-reader.js';

/**
 * Sets a key unless it is there.
 * @returns whether it was set; `undefined` if the driver cannot do so in one step.
 */
export type SetIfAbsent = (key: string, milliseconds: number) => Promise<boolean | undefined>;

type Command = (...parts: readonly unknown[]) => Promise<unknown>;

/** How databases do so, by the name of their driver. */
const FORMS: Readonly<Record<string, (set: Command, key: string, time: number) => Promise<unknown>>> = {
	redis: (set, key, time) => set(key, '1', 'PX', time, 'NX'),
	upstash: (set, key, px) => set(key, '1', { px, nx: true }),
	'vercel-kv': (set, key, px) => set(key, '1', { px, nx: true }),
};

/** Whether a driver can do so in one step. */
export function canSetIfAbsent({ name = '' }: Pick<Driver, 'name'>): boolean {
	return Object.hasOwn(FORMS, name);
}

/** `unstorage` has no such operation, so it is the database's own, with the client that the driver uses. */
export function createSetIfAbsent(driver: Driver): SetIfAbsent {
	const form = canSetIfAbsent(driver) ? FORMS[driver.name ?? ''] : undefined;
	if (!form) return async () => undefined;
	const { base } = fieldsOf(driver.options);
	const prefix = typeof base === 'string' && base !== '' ? `${base.replace(/:$/, '')}:` : '';
	return async (key, milliseconds) => {
		const client = driver.getInstance?.();
		const { set } = fieldsOf(client);
		if (typeof set !== 'function') return undefined;
		return (await form(set.bind(client), prefix + key, milliseconds)) === 'OK';
	};
}
