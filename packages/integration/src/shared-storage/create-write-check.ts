import type { Driver } from 'unstorage';
import { fieldsOf } from '../parse/field-reader.js';

/** Drivers that take the answer "no such bucket" for "no such value", and so lose what they write without an error. */
const LOSE_SILENTLY = new Set(['s3']);

/**
 * Finds out whether a value that was just written is there, until one is.
 * @returns a function that throws if it is not.
 */
export function createWriteCheck(driver: Driver): (key: string) => Promise<void> {
	let isChecked = !LOSE_SILENTLY.has(driver.name ?? '');
	return async (key) => {
		if (isChecked) return;
		const { bucket } = fieldsOf(driver.options);
		if (!(await driver.hasItem(key, {}))) {
			throw new Error(
				`what was written to the bucket ${JSON.stringify(bucket)} is not there. Check the name of the bucket.`,
			);
		}
		isChecked = true;
	};
}
