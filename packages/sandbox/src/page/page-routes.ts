import type { NewReview } from '../editing/input.js';
import { answer } from '../server/answer.js';
import { HttpError } from '../server/http-error.js';
import type { Call, Route } from '../server/route.js';
import { homePage } from './home-page.js';

/** Allows only our own style sheet and form, whatever a review contains. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'";

/** The page at `/` and the form on it. */
export const pageRoutes: readonly Route[] = [
	{
		method: 'GET',
		path: '/',
		handle: ({ query, service }) => {
			const page = homePage({
				products: service.store.listProducts(),
				wsid: service.facts.wsid,
				storeName: service.facts.storeName,
				createdFor: query.get('created'),
				chosen: query.get('pid') ?? query.get('created') ?? '',
				webhookHosts: service.webhooks.list().map(({ url }) => new URL(url).host),
			});
			return answer.html(page, { 'content-security-policy': POLICY });
		},
	},
	{
		method: 'POST',
		path: '/__sandbox/form/reviews',
		handle: (call) => {
			const { pid, review } = readForm(call);
			call.service.store.createReview(pid, review);
			return answer.empty(303, { location: `/?created=${encodeURIComponent(pid)}` });
		},
	},
];

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
