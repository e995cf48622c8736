import { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import type { Driver } from 'unstorage';
import { describe, expect, test } from 'vitest';
import { openDriver } from '../../../src/shared-storage/open-driver.js';

const driverOf = (getInstance: () => unknown): Driver => ({
	getInstance,
	hasItem: () => false,
	getItem: () => null,
	getKeys: () => [],
});

describe('a client that cannot connect', () => {
	test.each([
		['is there', (client: unknown) => client],
		['comes later', async (client: unknown) => client],
	])('ends nothing where it %s', async (_, give) => {
		const client = new EventEmitter();
		openDriver(driverOf(() => give(client)));
		await turn();
		expect(() => client.emit('error', new Error('No route.'))).not.toThrow();
	});

	// Vitest fails a run with a rejection that nobody handles.
	test('ends nothing where it never comes', async () => {
		const driver = driverOf(async () => Promise.reject(new Error('No route.')));
		expect(await openDriver(driver).get(['a'])).toEqual(new Map());
		await turn();
	});
});
