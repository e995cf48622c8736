import type { CollectorOptions } from '../../collect/collector-options.js';
import { WebhookConfigurationError } from '../../errors.js';
import { readDuration } from './read-duration.js';

/** The options that say when to rebuild. */
interface TimingValues {
	readonly 'at-once'?: boolean | undefined;
	readonly quiet?: string | undefined;
	readonly 'at-most'?: string | undefined;
}

/** @throws WebhookConfigurationError for anything but a time, or if the options contradict each other. */
export function readTiming(values: TimingValues): Pick<CollectorOptions, 'quiet' | 'atMost'> {
	const { quiet, 'at-most': atMost } = values;
	if (!values['at-once']) {
		return {
			quiet: readDuration('--quiet', quiet ?? '30s'),
			atMost: readDuration('--at-most', atMost ?? '5m'),
		};
	}
	if (quiet === undefined && atMost === undefined) return { quiet: 0 };
	throw new WebhookConfigurationError(
		'Choose when to rebuild: pass either --at-once, or --quiet and --at-most. See --help.',
	);
}
