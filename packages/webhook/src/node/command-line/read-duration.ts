import { WebhookConfigurationError } from '../../errors.js';

const MILLISECONDS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/**
 * Parses a duration with its unit, into milliseconds.
 * @throws WebhookConfigurationError for anything else.
 * @example readDuration('--quiet', '30s') // 30_000
 */
export function readDuration(option: string, text: string): number {
	const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)$/.exec(text.trim());
	if (!match) {
		throw new WebhookConfigurationError(
			`${option} must be a time with a unit, such as 500ms, 30s, 5m or 1h.`,
		);
	}
	return Number(match[1]) * MILLISECONDS[match[2] as keyof typeof MILLISECONDS];
}
