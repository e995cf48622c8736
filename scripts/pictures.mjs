// Takes the pictures of docs/looks: every component in its default look, light and dark, and the section in four CSS
// frameworks; and those of the README, the tutorial and the dev toolbar. Look at them after visual changes:
//   npm run -s build && ./node_modules/.bin/node scripts/pictures.mjs
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
// Comes with Astro.
import sharp from 'sharp';

// The test support is TypeScript that imports files by their compiled names.
registerHooks({
	resolve(specifier, context, next) {
		try {
			return next(specifier, context);
		} catch (error) {
			if (!specifier.endsWith('.js')) throw error;
			return next(specifier.replace(/\.js$/, '.ts'), context);
		}
	},
});

const SUPPORT = '../packages/integration/test/support/browser';
const { openLooks } = await import(`${SUPPORT}/looks-site.ts`);
const { FRAMEWORKS, SCHEMES, STORES, default: installStylesheets } = await import(`${SUPPORT}/store-css.ts`);
const { createProject } = await import(`${SUPPORT}/../build/project.ts`);
const { serve } = await import('product-reviews-playground/serve.mjs');
const { startSandbox } = await import('product-reviews-sandbox');

const FOLDER = fileURLToPath(new URL('../docs/looks/', import.meta.url));
const ASSETS = fileURLToPath(new URL('../docs/src/assets/', import.meta.url));
const TUTORIAL = new URL('../docs/src/content/docs/start/tutorial.mdx', import.meta.url);
const PARTS = [
	...['review-section', 'product-reviews', 'product-reviews-details', 'star-rating', 'rating-summary'],
	...['no-reviews', 'review-list', 'review-media', 'review-topics', 'product-questions', 'latest-reviews'],
];
const GROUNDS = { light: ['#fff', '#1d1d1f'], dark: ['#101114', '#f2f2f3'] };
const WIDTHS = { 1200: 900, 390: 1400 };
const SHOWN = ['Tailwind 3, prose', 'Bootstrap', 'Starlight', 'Pico'];
/** Of images in AVIF: nothing is to be seen of what it leaves out. */
const QUALITY = 60;
const taken = new Set();

installStylesheets();
const looks = await openLooks();
const { page } = looks;
try {
	rmSync(FOLDER, { recursive: true, force: true });
	mkdirSync(FOLDER, { recursive: true });
	for (const ground of Object.keys(GROUNDS)) {
		for (const [width, height] of Object.entries(WIDTHS)) await takeParts(ground, Number(width), height);
	}
	for (const [index, framework] of FRAMEWORKS.filter(({ name }) => SHOWN.includes(name)).entries()) {
		await page.setViewportSize({ width: 600, height: 700 });
		await looks.show(framework, SCHEMES[index % SCHEMES.length]);
		await page.evaluate(() => document.querySelector('.pr-review-section').scrollIntoView());
		await page.evaluate(() => scrollBy(0, -16));
		await picturesLoaded();
		const name = framework.name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
		await write(`${FOLDER}/css-${name}.avif`, await page.screenshot());
	}
	await showParts('light', 1200);
	await showPart('review-section');
	await write(
		`${ASSETS}/front-page.webp`,
		await page.screenshot({ clip: { x: 0, y: 48, width: 1200, height: 640 } }),
	);
	await takeTutorial();
	await takeToolbar();
} finally {
	await looks.close();
}
// Tailwind 4 keeps watching.
process.exit();

async function takeParts(ground, width, height) {
	await showParts(ground, width);
	for (const part of PARTS) {
		const box = await showPart(part);
		const clip = { x: 0, y: 0, width, height: Math.min(height, Math.ceil(box.height)) };
		await write(`${FOLDER}/${part}-${width}-${ground}.avif`, await page.screenshot({ clip }));
	}
}

async function showParts(ground, width) {
	const [background, color] = GROUNDS[ground];
	const style = `
		${inter()}
		body { margin: 0; font: 16px/1.5 Inter, sans-serif; background: ${background}; color: ${color} }
		.parts > div { display: none; padding: ${width > 600 ? '2.5rem 3rem' : '1.5rem 1.25rem'} }
		#star-rating { grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: 1.25rem }
		.picture { aspect-ratio: 1; border-radius: .5rem; background: color-mix(in srgb, currentColor 8%, transparent) }
		#star-rating :is(h3, p) { margin: .6rem 0 .1rem; font-size: 1rem }`;
	await page.setViewportSize({ width, height: WIDTHS[width] });
	const html = looks.html('parts').replace(/<link rel="stylesheet"[^>]*>/g, `<style>${looks.css}</style>`);
	await looks.showHtml(html.replace('</head>', () => `<style>${style}</style></head>`));
}

/** Writes a picture. @throws Error if another is the same: a framework that was not applied looks like none */
async function write(file, png) {
	const picture = await sharp(png).toFormat(file.split('.').at(-1), { quality: QUALITY }).toBuffer();
	const content = picture.toString('base64');
	if (taken.has(content)) throw new Error(`${file} is the same as another picture.`);
	taken.add(content);
	writeFileSync(file, picture);
}

/** Shows one component alone. */
async function showPart(part) {
	await page.evaluate((id) => {
		for (const one of document.querySelectorAll('.parts > div')) {
			one.style.display = one.id === id ? (id === 'star-rating' ? 'grid' : 'block') : 'none';
		}
		for (const details of document.querySelectorAll('details.pr-product-reviews')) details.open = true;
	}, part);
	await picturesLoaded();
	return page.locator(`#${part}`).boundingBox();
}

/** Waits for the images in view, which load lazily. */
async function picturesLoaded() {
	await page.waitForFunction(() =>
		[...document.images]
			.filter((image) => {
				const { top, left } = image.getBoundingClientRect();
				return image.checkVisibility() && top < innerHeight && left < innerWidth;
			})
			.every((image) => image.complete && image.naturalWidth > 0),
	);
}

/** Builds the store of the tutorial from its blocks, and shows the page of a product. */
async function takeTutorial() {
	const service = await startSandbox();
	const project = createProject('store', { service: service.url });
	try {
		rmSync(join(project.root, 'src'), { recursive: true });
		const blocks = readFileSync(TUTORIAL, 'utf8').matchAll(
			/^( *)```\w+ title="([^"]+\.\w+)"\n([\s\S]*?)^ *```$/gm,
		);
		for (const [, indent, path, text] of blocks) {
			mkdirSync(dirname(join(project.root, path)), { recursive: true });
			writeFileSync(join(project.root, path), text.replaceAll(RegExp(`^${indent}`, 'gm'), ''));
		}
		await project.build();
		const server = await serve(join(project.root, 'dist'));
		await page.setViewportSize({ width: 960, height: 640 });
		for (const colorScheme of ['light', 'dark']) {
			await page.emulateMedia({ colorScheme });
			await page.goto(`${server.url}/products/p-1/`);
			await page.addStyleTag({ content: `${inter()} body { font-family: Inter !important }` });
			await page.evaluate(() => document.fonts.ready);
			await write(`${ASSETS}/tutorial-${colorScheme}.webp`, await page.screenshot());
		}
		await server.close();
	} finally {
		project.remove();
		await service.close();
	}
}

/** Opens the app of the dev toolbar on a page that breaks a rule. */
async function takeToolbar() {
	const service = await startSandbox();
	const config = { devToolbar: { enabled: true }, vite: { cacheDir: '.vite' } };
	const project = createProject('product-page', { service: service.url, pages: ['p-1'], config });
	const server = await project.dev();
	try {
		await page.setViewportSize({ width: 1000, height: 720 });
		await page.goto(`${server.url}/hidden`);
		await page.addStyleTag({ content: inter() });
		const app = page.locator('astro-dev-toolbar-app-canvas[data-app-id="astro-product-reviews"]');
		const shown = app.locator('astro-dev-toolbar-window');
		await shown.waitFor({ state: 'attached' });
		await page.locator('astro-dev-toolbar #dev-bar').focus();
		await page.locator('astro-dev-toolbar button[data-app-id="astro-product-reviews"]').press('Enter');
		await app.getByRole('heading', { name: /^Findings/ }).waitFor();
		await shown.evaluate((element) => {
			element.style.fontFamily = 'Inter';
			element.style.maxHeight = 'none';
		});
		await page.evaluate(() => document.fonts.ready);
		await write(`${ASSETS}/toolbar.webp`, await shown.screenshot());
	} finally {
		await server.stop();
		project.remove();
		await service.close();
	}
}

/** Returns the font of all pictures, to be named in the styles of a page. */
function inter() {
	const font = readFileSync(
		`${STORES}/node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2`,
	);
	return `@font-face { font-family: Inter; font-weight: 100 900; src: url(data:font/woff2;base64,${font.toString('base64')}) }`;
}
