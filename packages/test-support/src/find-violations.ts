import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * What axe finds on a page, as the rule, the element and why.
 * @param selectors of what it looks at, the whole document by default.
 * @param rules that it checks, all by default.
 */
export async function findViolations(
	page: Page,
	selectors?: readonly string[],
	rules?: readonly string[],
): Promise<string[]> {
	// It stays when the page's content is set anew, and half a megabyte takes a while to be read.
	if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
	const include = selectors?.map((selector) => [selector]);
	const context = include ? JSON.stringify({ include }) : 'document';
	const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) });
	const { violations } = await page.evaluate<Pick<AxeResults, 'violations'>>(
		`axe.run(${context}, ${options}).then(({ violations }) => ({ violations }))`,
	);
	return violations.flatMap(({ id, nodes }) =>
		nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message ?? ''}`),
	);
}
