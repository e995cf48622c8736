import type { Timing } from '../collect/timing.js';
import type { SharedState } from './open-shared-state.js';
import { untilDue } from './until-due.js';

/** Options of {@link planWaiting}. */
export interface PlanWaitingOptions {
	readonly state: SharedState;
	readonly timing: Timing;
	/** How often to look, in milliseconds. */
	readonly every: number;
	readonly onError: (error: unknown) => void;
}

/** Plans a rebuild if changes are waiting and none is planned: when asked to, now and then, and whenever Redis is back. */
export function planWaiting({ state, timing, every, onError }: PlanWaitingOptions) {
	const { connections, log, plan, watched } = state;
	const { quick } = connections;
	let timer: NodeJS.Timeout | undefined;
	const look = async () => {
		const waiting = await watched(log.summary());
		if (waiting) await plan.ensure(untilDue(waiting, timing));
	};
	const lookQuietly = () => void look().catch(onError);
	const onReady = () => void Promise.all([plan.limit(), look()]).catch(onError);
	return {
		look: lookQuietly,
		start() {
			if (quick.status === 'ready') onReady();
			quick.on('ready', onReady);
			timer = setInterval(lookQuietly, every);
		},
		stop() {
			clearInterval(timer);
			quick.off('ready', onReady);
		},
	};
}
