import type { Sandbox } from 'product-reviews-sandbox';
import { expect } from 'vitest';

/** Makes an edit as a shop's owner does: over HTTP. @returns the review's id */
export async function edit(
	service: Sandbox,
	method: string,
	path: string,
	body: object = {},
): Promise<string> {
	const response = await fetch(`${service.url}/__sandbox/${path}`, {
		method,
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	expect(response.ok).toBe(true);
	return (await response.json()).id;
}
