import { type NewReview, type Sandbox, startSandbox } from 'product-reviews-sandbox';
import { afterAll, expect, onTestFinished } from 'vitest';
import { type AstroRun, type BuildProject, createProject } from './project.js';

/** What a build needs for operations 1 and 2. */
export const TOKEN = { REVIEWS_TOKEN: 'sandbox-token' };

export function productIds(count: number): string[] {
	return Array.from({ length: count }, (_, index) => `p-${index + 1}`);
}

/** A text that only the reviews of this product hold. */
export function markOf(index: number): string {
	return `Mark ${index} of this product.`;
}

interface ServiceSetup {
	readonly latency?: number | undefined;
	/** Is added to each text. */
	readonly more?: (() => string) | undefined;
}

/** A service with just these products, two reviews each; the texts name the product by its number. */
export async function startService(
	pids: readonly string[],
	{ latency = 0, more = () => '' }: ServiceSetup = {},
): Promise<Sandbox> {
	return startSandbox({
		seed: false,
		latency,
		products: pids.map((pid, index) => ({
			pid,
			name: `Product ${index}`,
			reviews: [0, 1].map((number) => ({
				rating: 4 + number,
				author: `Author ${number}`,
				title: `Title ${number}`,
				body: markOf(index) + more(),
				status: 'published' as const,
				publishedAt: '2026-03-05T10:00:00Z',
			})),
		})),
	});
}

export function publish({ store }: Sandbox, pid: string, body: string, more: Partial<NewReview> = {}): void {
	store.createReview(pid, { rating: 1, author: 'New', title: 'New', body, status: 'published', ...more });
}

/** The most of these requests that the service had at the same time. */
export function mostAtOnce(requests: Sandbox['requests']['all']): number {
	const areUnderWay = (time: number) =>
		requests.filter(({ startedAt, duration = 0 }) => startedAt <= time && time < startedAt + duration).length;
	return Math.max(...requests.map(({ startedAt }) => areUnderWay(startedAt)));
}

export function editReviews({ store }: Sandbox, pid: string, body: string): void {
	for (const { id } of store.listReviews({ pid })) store.editReview(id, { body });
}

export function removeReviews({ store }: Sandbox, pid: string): void {
	for (const { id } of store.listReviews({ pid })) store.deleteReview(id);
}

/** Expects the reviews of its own product, and of no other, on each of the first pages. */
export function expectMarks(project: BuildProject, pages: readonly unknown[]): void {
	for (const index of pages.keys()) {
		const marks = project.read(`products/n${index + 1}/index.html`).match(/Mark \d+ of this product\./g);
		expect(new Set(marks), `page ${index + 1}`).toEqual(new Set([markOf(index)]));
	}
}

/** A project, and the service that has the reviews of its products. */
export interface Shop {
	readonly project: BuildProject;
	readonly service: Sandbox;
}

interface ShopSetup extends AstroRun, ServiceSetup {
	/** How long it is there: for all tests of the file, or with `onTestFinished` for the running one. */
	readonly atEnd?: (end: () => Promise<void>) => unknown;
}

/** Of a shop with a token, for the running test alone. */
export const IN_TEST: ShopSetup = { environment: TOKEN, atEnd: onTestFinished };

/** A shop that lists all products, and makes a page of each. */
export async function startShop(
	fixture: string,
	pids: readonly (string | number)[],
	{ latency, more, atEnd = afterAll, ...common }: ShopSetup = {},
): Promise<Shop> {
	const service = await startService(pids.map(String), { latency, more });
	atEnd(service.close);
	const options = { products: pids, ...common.options };
	const project = createProject(fixture, { service: service.url, pages: pids, ...common, options });
	atEnd(async () => project.remove());
	return { project, service };
}
