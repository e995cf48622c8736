import { z } from 'astro/zod';

const MILLISECONDS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * A duration: a number of milliseconds, or a string with a unit (`'500ms'`, `'10s'`, `'5m'`, `'1h'`, `'30d'`). The result is
 * in milliseconds, and so are the bounds `least` and `most`.
 */
export function duration({ least = 0, most = 3_650 * MILLISECONDS.d } = {}) {
	return z
		.union([z.number(), z.string()], { error: EXPECTED })
		.transform((value) => toMilliseconds(value))
		.refine((value) => Number.isFinite(value) && value >= least && value <= most, {
			error: ({ input }) =>
				Number.isFinite(input)
					? `Expected ${words(least)} to ${words(most)}. Numbers are milliseconds; "10s" is ten seconds.`
					: EXPECTED,
		});
}

const EXPECTED =
	'Expected a duration: a number of milliseconds, or a string such as "500ms", "10s", "5m", "1h" or "30d".';

function toMilliseconds(value: number | string): number {
	if (typeof value === 'number') return value;
	const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/.exec(value.trim());
	if (!match) return Number.NaN;
	return Number(match[1]) * MILLISECONDS[match[2] as keyof typeof MILLISECONDS];
}

function words(milliseconds: number): string {
	for (const unit of ['d', 'h', 'm', 's'] as const) {
		const amount = milliseconds / MILLISECONDS[unit];
		if (amount >= 1 && Number.isInteger(amount)) return `"${amount}${unit}"`;
	}
	return `"${milliseconds}ms"`;
}
