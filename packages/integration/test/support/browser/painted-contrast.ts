import type { Page } from 'playwright-core';

/** One colour as it is painted. */
type Pixel = readonly number[];
type Box = { x: number; y: number; width: number; height: number };

/**
 * How an element stands out of what is around it, measured on a screenshot: the contrast of the pixel that stands out
 * most with the page's background, twice as large so that thin lines have pixels of their own.
 */
export async function paintedContrast(page: Page, selector: string): Promise<number> {
	return Math.max(...(await contrastsIn(page, await boxOf(page, selector))));
}

/** The same of the pixel in the middle of each star of a row. */
export async function starMiddles(page: Page, selector: string): Promise<readonly number[]> {
	const box = await boxOf(page, selector);
	const found: number[] = [];
	for (let index = 0; index < 5; index++) {
		const x = box.x + (box.width / 5.64) * (0.5 + 1.16 * index) - 1;
		const y = box.y + box.height * 0.52 - 1;
		found.push(Math.min(...(await contrastsIn(page, { x, y, width: 2, height: 2 }))));
	}
	return found;
}

async function boxOf(page: Page, selector: string): Promise<Box> {
	const element = page.locator(selector).first();
	await element.scrollIntoViewIfNeeded();
	const box = await element.boundingBox();
	if (!box) throw new Error(`Nothing to be seen of ${selector}.`);
	return box;
}

async function contrastsIn(page: Page, clip: Box): Promise<number[]> {
	const png = await page.screenshot({ clip, scale: 'device' });
	const { colors, background } = await page.evaluate(async (data) => {
		const image = new Image();
		image.src = `data:image/png;base64,${data}`;
		await image.decode();
		const canvas = new OffscreenCanvas(image.width, image.height);
		const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
		context.drawImage(image, 0, 0);
		const { data: bytes } = context.getImageData(0, 0, image.width, image.height);
		const found = new Set<string>();
		for (let at = 0; at < bytes.length; at += 4) found.add(bytes.slice(at, at + 3).join());
		return { colors: [...found], background: getComputedStyle(document.body).backgroundColor };
	}, png.toString('base64'));
	const toPixel = (text: string): Pixel => text.match(/\d+/g)?.slice(0, 3).map(Number) ?? [];
	return colors.map((color) => contrast(toPixel(color), toPixel(background)));
}

/** As the Web Content Accessibility Guidelines count it. */
function contrast(first: Pixel, second: Pixel): number {
	const [light = 0, dark = 0] = [luminance(first), luminance(second)].sort((a, b) => b - a);
	return (light + 0.05) / (dark + 0.05);
}

function luminance(pixel: Pixel): number {
	const [red = 0, green = 0, blue = 0] = pixel.map((value) => {
		const share = value / 255;
		return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
