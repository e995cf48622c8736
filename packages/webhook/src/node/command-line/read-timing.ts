import type { CollectorOptions } from '../../collect/collector-options.js';
import { WebhookConfigurationError } from '../../errors.js';
import { readDuration } from './read-duration.js';

/** The options that say when to rebuild. */
interface TimingValues {
	readonly 'at-once'?: boolean | undefined;
	readonly quiet?: string | undefined;
	readonly 'at-most'?: string | undefined;
}

/** With `--at-once`, nobody waits long behind a product for which the service keeps failing. In milliseconds. */
const RETRY_AT_MOST = 60_000;

/** @throws WebhookConfigurationError for anything but a time, or if the options contradict each other. */
export function readTiming(values: TimingValues): Pick<CollectorOptions, 'quiet' | 'atMost' | 'retryAtMost'> {
	const { quiet, 'at-most': atMost } = values;
	if (!values['at-once']) {
		return {
			quiet: readDuration('--quiet', quiet ?? '30s'),
			atMost: readDuration('--at-most', atMost ?? '5m'),
		};
	}
	if (quiet === undefined && atMost === undefined) return { quiet: 0, retryAtMost: RETRY_AT_MOST };
	throw new WebhookConfigurationError(
		'Choose when to rebuild: pass either --at-once, or --quiet and --at-most. See --help.',
	);
}
