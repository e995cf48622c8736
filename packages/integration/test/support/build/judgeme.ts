import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startStandIn } from '../unit/stand-in.js';

export const TOKEN = 'canary-token';

/** Secrets and data of people that the service sends, and that are nowhere in a store. */
export const PERSONAL = /canary|@example\.org|192\.0\.2\.|5550001/;

export interface ListedReview {
	readonly id: number;
	readonly pid: string;
	rating?: number;
	body?: string;
	hidden?: boolean;
}

/** Starts a shop of Judge.me with these reviews, the newest first. @param most reviews on a page */
export async function startJudgeMe(reviews: ListedReview[], most = 100) {
	const sent = ({ id, pid, rating = 5, body = `Body ${id}.`, hidden = false }: ListedReview) => ({
		...{ id, product_external_id: Number(pid), title: `Title ${id}`, body, rating, curated: 'ok', hidden },
		...{ published: true, verified: 'buyer', source: 'email', created_at: '2026-04-11T08:30:12+00:00' },
		...{ ip_address: '192.0.2.7', pictures: [], product_title: `Product ${pid}` },
		reviewer: { id: 1, external_id: 5550001, email: 'canary@example.org', name: 'Ines P.' },
	});
	return startStandIn(({ path, query, headers }) => {
		if (headers['x-api-token'] !== TOKEN) return { status: 401, json: { error: 'Failed to authenticate.' } };
		if (path === '/products/-1') {
			const id = Number(query.get('external_id'));
			return { json: { product: { id: id + 1_000_000, external_id: id } } };
		}
		const product = query.get('product_id');
		const found = product
			? reviews.filter(({ pid }) => Number(pid) + 1_000_000 === Number(product))
			: reviews;
		const size = Math.min(most, Number(query.get('per_page')));
		const start = (Number(query.get('page')) - 1) * size;
		return { json: { per_page: size, reviews: found.slice(start, start + size).map(sent) } };
	});
}

/** Writes the provider of a project: the shipped one, with the address of a test. @returns the options of the project */
export function useJudgeMe(root: string, url: string) {
	const shop = JSON.stringify({ shop: 'shop.myshopify.com' });
	writeFileSync(
		join(root, 'reviews.mjs'),
		`import judgeMe from 'astro-product-reviews/providers/judgeme';\nexport default judgeMe(${shop}, ${JSON.stringify(url)});\n`,
	);
	return { provider: './reviews.mjs' };
}
