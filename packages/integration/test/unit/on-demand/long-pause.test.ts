import { expect, test } from 'vitest';
import { MINUTE, settled, startLive } from '../../support/unit/live.js';

test.each([
	['a year', String(365 * 86_400)],
	['ten thousand years', '315360000000'],
	['a date in a century', new Date('2126-11-21T12:00:00Z').toUTCString()],
])(
	'a service that wants a pause of %s is asked again after five minutes: by one request for a known and one for an unknown product, for which others wait',
	async (_name, pause) => {
		const { view, shown, pass, source, asked, open } = startLive();
		await view(['p-1'], (request) => request.answer());
		await pass(2 * MINUTE);
		await view(['p-1'], (request) => request.answerStatus(429, { 'retry-after': pause }));
		for (let minute = 0; minute < 4; minute++) {
			await pass(MINUTE);
			expect(await shown('p-1')).toBe(4.5);
			expect(await shown('p-2')).toBeUndefined();
		}
		expect(asked).toHaveLength(2);
		await pass(MINUTE + 10_000);
		for (const pid of ['p-1', 'p-2', 'p-3']) void source.getProductReviews(pid);
		await settled();
		expect(asked.slice(2)).toEqual(['p-1', 'p-2']);
		const [known, unknown] = open;
		await known?.answer({ average: 3 });
		await unknown?.answer();
		expect(await shown('p-1')).toBe(3);
		expect(asked.slice(2)).toEqual(['p-1', 'p-2', 'p-3']);
	},
);
