import { tokens } from '../database/tokens.js';
import type { FaultRule } from '../faults/fault-rule.js';
import { answer } from '../server/answer.js';
import { readJson } from '../server/read-json.js';
import type { RequestRecords } from '../server/requests.js';
import type { Route } from '../server/route.js';

const FAULTS = '/__sandbox/faults';
const REQUESTS = '/__requests';

/** The sandbox's own routes for tokens, faults and recorded requests. */
export const controlRoutes: readonly Route[] = [
	{
		method: 'POST',
		path: '/__sandbox/tokens',
		handle: ({ service }) => {
			const token = tokens.generate(service.database, new Date(service.now()).toISOString());
			return answer.json(201, { token });
		},
	},
	{
		method: 'GET',
		path: FAULTS,
		handle: ({ service }) => answer.json(200, { faults: service.faults.list() }),
	},
	{
		method: 'POST',
		path: FAULTS,
		handle: (call) => {
			call.service.faults.add(readJson(call) as FaultRule);
			return answer.json(201, { faults: call.service.faults.list() });
		},
	},
	{
		method: 'DELETE',
		path: FAULTS,
		handle: ({ service }) => {
			service.faults.clear();
			return answer.empty(204);
		},
	},
	{
		method: 'GET',
		path: REQUESTS,
		handle: ({ service }) => answer.json(200, counts(service.requests)),
	},
	{
		method: 'DELETE',
		path: REQUESTS,
		handle: ({ service }) => {
			service.requests.reset();
			return answer.empty(204);
		},
	},
];

function counts(requests: RequestRecords) {
	const all = requests.all;
	return {
		total: all.length,
		byOperation: tally(all.map(({ operation }) => operation)),
		byStatus: tally(all.map(({ status }) => String(status ?? 'none'))),
		byPid: tally(all.flatMap(({ pids }) => pids)),
		inFlight: requests.inFlight,
		maxInFlight: requests.maxInFlight,
		inFlightTimes: requests.inFlightTimes,
	};
}

function tally(names: readonly string[]): Record<string, number> {
	const result = new Map<string, number>();
	for (const name of names) result.set(name, (result.get(name) ?? 0) + 1);
	return Object.fromEntries(result);
}
