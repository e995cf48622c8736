import { defineCollection } from 'astro:content';
import { productIds } from '../shared/products.mjs';
import { reviewsAddress } from '../shared/service.mjs';

const CONCURRENCY = 16;

// A well-written loader: requests in parallel, and conditional requests for stored entries.
async function load({ store }) {
	const pids = productIds().values();
	const work = async () => {
		for (const pid of pids) {
			const etag = store.get(pid)?.digest;
			const answer = await fetch(reviewsAddress(pid), { headers: etag ? { 'if-none-match': etag } : {} });
			if (answer.status === 304) continue;
			const { html, jsonld } = await answer.json();
			store.set({ id: pid, data: { html, jsonld }, digest: answer.headers.get('etag') ?? undefined });
		}
	};
	await Promise.all(Array.from({ length: CONCURRENCY }, work));
}

export const collections = { reviews: defineCollection({ loader: { name: 'reviews', load } }) };
