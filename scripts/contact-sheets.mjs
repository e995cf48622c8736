// Writes docs/looks/*.png, with one sheet per CSS framework: the whole section in a store that uses it, in light mode, dark
// mode by class and dark mode by media query, at three widths; and docs/src/assets/front-page.png. Review them after visual changes:
//   npm run -s build && ./node_modules/.bin/node scripts/contact-sheets.mjs [name ...]
import { mkdirSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

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

const { openLooks } = await import('../packages/integration/test/support/browser/looks-site.ts');
const {
	FRAMEWORKS,
	SCHEMES,
	default: installStylesheets,
} = await import('../packages/integration/test/support/browser/store-css.ts');

const FOLDER = fileURLToPath(new URL('../docs/looks/', import.meta.url));
const WIDTHS = [1280, 768, 360];
/** Height of the screenshots in pixels, and their scale on the sheet. */
const HEIGHT = 2200;
const SCALE = 0.23;

const names = process.argv.slice(2);
installStylesheets();
const looks = await openLooks();
try {
	mkdirSync(FOLDER, { recursive: true });
	for (const framework of FRAMEWORKS) {
		if (names.length > 0 && !names.includes(framework.name)) continue;
		const pictures = [];
		for (const scheme of SCHEMES) {
			for (const width of WIDTHS) {
				await looks.page.setViewportSize({ width, height: HEIGHT });
				await looks.show(framework, scheme);
				await picturesLoaded();
				pictures.push({ scheme, width, png: await looks.page.screenshot() });
			}
		}
		const file = `${framework.name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.png`;
		writeFileSync(FOLDER + file, await sheetOf(framework.name, pictures));
		console.log(file);
	}
	if (names.length === 0 || names.includes('front')) await writeFrontPage();
} finally {
	await looks.close();
}

/** Combines all screenshots of a framework. */
async function sheetOf(name, pictures) {
	const images = pictures.map(
		({ scheme, width, png }) =>
			`<figure><img width="${width * SCALE}" height="${HEIGHT * SCALE}" src="data:image/png;base64,${png.toString('base64')}"><figcaption>${scheme}, ${width}</figcaption></figure>`,
	);
	const page = looks.page;
	await page.emulateMedia({ colorScheme: 'light' });
	await page.setViewportSize({ width: 1770, height: 575 });
	await looks.showHtml(
		`<style>body{margin:12px;font:13px sans-serif;background:#999}h1{margin:0 0 8px;font-size:16px}main{display:flex;gap:8px}figure{margin:0}img{display:block}</style><h1>${name}</h1><main>${images.join('')}</main>`,
	);
	return page.screenshot();
}

/** Takes a screenshot of the section with default settings, in a page with three lines of CSS. */
async function writeFrontPage() {
	const { page } = looks;
	await page.emulateMedia({ colorScheme: 'light' });
	await page.setViewportSize({ width: 1200, height: 1500 });
	const html = looks.html('front').replace(/<link rel="stylesheet"[^>]*>/g, `<style>${looks.css}</style>`);
	await looks.showHtml(html);
	await picturesLoaded();
	writeFileSync(
		fileURLToPath(new URL('../docs/src/assets/front-page.png', import.meta.url)),
		await page.screenshot(),
	);
}

/** Waits for the images in view, which load lazily. */
async function picturesLoaded() {
	await looks.page.waitForFunction(() =>
		[...document.images]
			.filter((image) => image.checkVisibility() && image.getBoundingClientRect().top < innerHeight)
			.every((image) => image.complete && image.naturalWidth > 0),
	);
}
