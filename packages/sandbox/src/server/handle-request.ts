import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidInputError, NotFoundError } from '../editing/errors.js';
import { sendFault } from '../faults/send-fault.js';
import { routes } from '../routes.js';
import type { Service } from '../service.js';
import { type Answer, answer } from './answer.js';
import { checkCaller } from './check-caller.js';
import { compressed } from './compressed.js';
import { findRoute } from './find-route.js';
import { HttpError } from './http-error.js';
import { type Observation, observeRequest } from './observe-request.js';
import { readBody } from './read-body.js';
import { requestOrigin } from './request-origin.js';
import type { Call, Route } from './route.js';
import { withValidators } from './with-validators.js';

/** Handles one request. Never rejects: an error becomes a response, or closes the connection. */
export async function handleRequest(
	request: IncomingMessage,
	response: ServerResponse,
	service: Service,
): Promise<void> {
	const method = request.method ?? 'GET';
	const [path = '', ...search] = (request.url ?? '/').split('?');
	const gone = new AbortController();
	response.once('close', () => gone.abort());
	let observation: Observation | undefined;
	try {
		checkCaller(request.headers, service);
		const { route, params } = findRoute(routes, method, path);
		observation = observeRequest(request, response, path, service, route.operation);
		const body = await readBody(request);
		const query = new URLSearchParams(search.join('?'));
		const origin = service.publicUrl ?? requestOrigin(request);
		const call: Call = { origin, path, params, query, headers: request.headers, body, service };
		await answerCall(route, call, response, observation, gone.signal);
	} catch (error) {
		observation ??= observeRequest(request, response, path, service);
		if (gone.signal.aborted || response.headersSent) response.destroy();
		else send(response, toErrorAnswer(error, service), request);
	}
}

async function answerCall(
	route: Route,
	call: Call,
	response: ServerResponse,
	observation: Observation,
	signal: AbortSignal,
): Promise<void> {
	const { operation } = route;
	const pids = route.pidsOf?.(call) ?? [];
	observation.update({ pids });
	if (operation === undefined) return send(response, route.handle(call), call);

	const { faults, requests } = call.service;
	const { delay, fault } = faults.plan(operation, pids, requests.inFlight);
	if (fault) observation.update({ fault: fault.kind });
	else if (delay > 0) observation.update({ fault: 'latency' });
	const wait = call.service.latency + delay;
	if (wait > 0) await sleep(wait, undefined, { signal });
	if (fault) await sendFault(fault, { response, rightAnswer: () => safely(route, call), signal });
	else send(response, route.handle(call), call);
}

function send(response: ServerResponse, full: Answer, { headers }: Pick<Call, 'headers'>): void {
	const validated = withValidators(full, headers['if-none-match']);
	const final = compressed(validated, headers['accept-encoding']);
	const length = final.status === 304 ? {} : { 'content-length': String(final.body.length) };
	response.writeHead(final.status, { ...final.headers, ...length });
	response.end(final.body);
}

/** The response without a fault, which may itself be an error. */
function safely(route: Route, call: Call): Answer {
	try {
		return route.handle(call);
	} catch (error) {
		return toErrorAnswer(error, call.service);
	}
}

function toErrorAnswer(error: unknown, service: Service): Answer {
	if (error instanceof HttpError) return answer.error(error.status, error.message, error.headers);
	if (error instanceof NotFoundError) return answer.error(404, error.message);
	if (error instanceof InvalidInputError) return answer.error(400, error.message);
	const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
	service.log(`Internal error: ${reason}`);
	return answer.error(500, 'Internal error of the sandbox. See its log.');
}
