import type { Collector } from '../collect/collector.js';
import { isOwnHost } from './is-own-host.js';

const WRONG_HOST =
	'The status is only available at localhost and at the address that the receiver listens on.';

/** Returns a function that answers every request but events: `/healthz`, `/status`, and what does not exist. */
export function answerOthers(collector: Collector, host: string): (request: Request) => Promise<Response> {
	return async (request) => {
		const { pathname } = new URL(request.url);
		if (pathname === '/healthz') return answerHealth(collector);
		if (pathname !== '/status') return Response.json({ error: 'Not found.' }, { status: 404 });
		return isOwnHost(host, request.headers.get('host') ?? undefined)
			? answerStatus(collector)
			: Response.json({ error: WRONG_HOST }, { status: 403 });
	};
}

/** A receiver that cannot keep events is not healthy: whoever sends them should go to another. */
async function answerHealth(collector: Collector): Promise<Response> {
	try {
		await collector.status();
		return Response.json({ status: 'ok' });
	} catch {
		return Response.json({ error: 'Changes cannot be kept.' }, { status: 503 });
	}
}

async function answerStatus(collector: Collector): Promise<Response> {
	try {
		return Response.json(describe(await collector.status()));
	} catch {
		return Response.json({ error: 'The waiting changes cannot be read.' }, { status: 503 });
	}
}

/** The status with times in ISO 8601. */
function describe(status: Awaited<ReturnType<Collector['status']>>) {
	const time = (milliseconds: number | undefined) =>
		milliseconds === undefined ? undefined : new Date(milliseconds).toISOString();
	const { lastRebuild, nextRebuildAt, ...others } = status;
	return {
		...others,
		nextRebuildAt: time(nextRebuildAt),
		lastRebuild: lastRebuild && {
			...lastRebuild,
			// Everything after the first line is output of the build, which may contain anything.
			error: lastRebuild.error?.split('\n', 1)[0],
			startedAt: time(lastRebuild.startedAt),
			endedAt: time(lastRebuild.endedAt),
		},
	};
}
