import { expect, test } from 'vitest';
import { vitePluginReaders } from '../../../src/astro/vite-plugin-readers.js';

/** Whether code is taken for such as may read html. */
function reads(code: string, id = '/shop/src/pages/index.astro', environment = 'ssr'): boolean {
	let isFound = false;
	const { transform } = vitePluginReaders(() => {
		isFound = true;
	});
	if (typeof transform !== 'function') throw new Error('The plugin transforms nothing.');
	Reflect.apply(transform, { environment: { name: environment } }, [code, id]);
	return isFound;
}

test.each([
	'const html = await Astro2.slots.render("default");',
	'const { slots } = Astro2;',
	'const { props, slots: given } = Astro2;',
	'Astro2.slots["default"]()',
	'export const onRequest = defineMiddleware(change);',
	'const container = await experimental_AstroContainer.create();',
	'export default { check, renderToStaticMarkup };',
])('%s may read what components write', (code) => expect(reads(code)).toBe(true));

test.each([
	'renderSlot($$result, $$slots["default"])',
	'Astro2.slots.has("after") ? 1 : 2',
	'const { props } = Astro2;',
	'const slots = 4;',
])('%s does not', (code) => expect(reads(code)).toBe(false));

test("code of Astro's, of ours and for browsers does not count", () => {
	const code = 'Astro2.slots.render("default"); onRequest';
	expect(reads(code, '\0virtual:astro:middleware')).toBe(false);
	expect(reads(code, '/shop/node_modules/astro/dist/core/render/slots.js')).toBe(false);
	expect(reads(code, new URL('../../../components/ReviewList.astro', import.meta.url).pathname)).toBe(false);
	expect(reads(code, undefined, 'client')).toBe(false);
	expect(reads(code, '/shop/node_modules/other/Card.astro')).toBe(true);
});
