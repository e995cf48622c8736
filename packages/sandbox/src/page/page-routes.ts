import type { NewReview } from '../editing/input.js';
import { answer } from '../server/answer.js';
import { HttpError } from '../server/http-error.js';
import type { Call, Route } from '../server/route.js';
import type { Service } from '../service.js';
import { homePage } from './home-page.js';
import { NOTE_SCRIPT_POLICY } from './note-script.js';
import { NOTE_PATH, noteHtml, type PublishedReview } from './notice.js';

/** Allows only our own style sheet and form, whatever a review contains. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'";

/** The page at `/` and the form on it. */
export const pageRoutes: readonly Route[] = [
	{
		method: 'GET',
		path: '/',
		handle: ({ query, service }) => {
			const published = readPublished(query, service);
			const page = homePage({
				products: service.store.listProducts(),
				wsid: service.facts.wsid,
				storeName: service.facts.storeName,
				published,
				chosen: query.get('pid') ?? published?.pid ?? '',
				webhookHosts: service.webhooks.list().map(({ url }) => new URL(url).host),
			});
			const policy = published?.isAwaited ? `${POLICY}; ${NOTE_SCRIPT_POLICY}` : POLICY;
			return answer.html(page, { 'content-security-policy': policy });
		},
	},
	{
		method: 'GET',
		path: NOTE_PATH,
		handle: ({ query, service }) => {
			const at = readTime(query);
			const note = service.notes.find(query.get('pid') ?? '', at);
			const headers = { 'cache-control': 'no-store', 'content-security-policy': POLICY };
			return note ? answer.html(noteHtml(note, at), headers) : answer.empty(204, headers);
		},
	},
	{
		method: 'POST',
		path: '/__sandbox/form/reviews',
		handle: (call) => {
			const { pid, review } = readForm(call);
			const at = call.service.now();
			call.service.store.createReview(pid, review);
			return answer.empty(303, { location: `/?created=${encodeURIComponent(pid)}&at=${at}` });
		},
	},
];

function readPublished(
	query: URLSearchParams,
	{ notes, webhooks }: Pick<Service, 'notes' | 'webhooks'>,
): PublishedReview | undefined {
	const pid = query.get('created');
	if (pid === null) return undefined;
	const at = readTime(query);
	const note = notes.find(pid, at);
	// Only who is notified of reviews can tell what became of them.
	const isAwaited = note === undefined && Number.isFinite(at) && webhooks.list().length > 0;
	return { pid, at, note, isAwaited };
}

/** When the form arrived, in milliseconds since 1970; `NaN` if the address does not say. */
function readTime(query: URLSearchParams): number {
	return Number(query.get('at') || Number.NaN);
}

function readForm({ headers, body }: Call): { pid: string; review: NewReview } {
	const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
	if (type !== 'application/x-www-form-urlencoded') throw new HttpError(415, "Send the page's form.");
	const form = new URLSearchParams(body);
	const text = (name: string) => form.get(name) ?? '';
	return {
		pid: text('pid').toWellFormed(),
		review: {
			rating: Number(text('rating')),
			title: text('title'),
			body: text('body').replaceAll('\r\n', '\n'),
			author: text('author'),
		},
	};
}
