// Creates the video of the sandbox's reviews, which shows a parcel on a table being opened, as if filmed by hand. The frames
// are drawn by the sandbox, rendered with Chromium, and encoded with ffmpeg (Debian package "ffmpeg"). Run it after changes
// to the drawing: `npm run -s build && node scripts/make-video.mjs`.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { findChromium } from 'product-reviews-test-support/chromium';
import {
	INDOORS,
	lensDefinitions,
	lensEffects,
	SURFACES,
} from '../packages/sandbox/dist/photos/draw-photo.js';
import { createRandom } from '../packages/sandbox/dist/seed/random.js';

const OUTPUT = fileURLToPath(new URL('../packages/sandbox/assets/unpacking.webm', import.meta.url));
const FRAMES_A_SECOND = 15;
const SECONDS = 4;
const [WIDTH, HEIGHT] = [900, 1200];
const [SHOWN_WIDTH, SHOWN_HEIGHT] = [360, 480];

const folder = mkdtempSync(join(tmpdir(), 'sandbox-video-'));
const browser = await chromium.launch(await findChromium());
try {
	const page = await browser.newPage({ viewport: { width: SHOWN_WIDTH, height: SHOWN_HEIGHT } });
	for (let index = 0; index < FRAMES_A_SECOND * SECONDS; index += 1) {
		const picture = Buffer.from(drawFrame(index / (FRAMES_A_SECOND * SECONDS - 1))).toString('base64');
		await page.setContent(
			`<style>body{margin:0}</style><img width="100%" src="data:image/svg+xml;base64,${picture}">`,
		);
		await page.evaluate(() => document.images[0]?.decode());
		await page.screenshot({ path: join(folder, `${String(index).padStart(3, '0')}.png`) });
	}
	const encode = [
		'-c:v',
		'libvpx-vp9',
		'-crf',
		'46',
		'-b:v',
		'0',
		'-pix_fmt',
		'yuv420p',
		'-an',
		'-threads',
		'1',
	];
	const input = ['-framerate', String(FRAMES_A_SECOND), '-i', join(folder, '%03d.png')];
	execFileSync('ffmpeg', ['-y', '-loglevel', 'error', ...input, ...encode, '-fflags', '+bitexact', OUTPUT]);
	console.log(`${OUTPUT}: ${statSync(OUTPUT).size} bytes`);
} finally {
	await browser.close();
	rmSync(folder, { recursive: true, force: true });
}

/** @param {number} time 0 at the start, 1 at the end */
function drawFrame(time) {
	// The same random numbers for every frame, so that only the camera and the flaps move.
	const frame = { width: WIDTH, height: HEIGHT, horizon: 600, random: createRandom(7) };
	const room = `<g filter="url(#far)">${INDOORS.daylight(frame)}</g>${SURFACES.oak(frame)}`;
	const zoom = 1.1 + 0.12 * time;
	const [x, y] = [450 + 14 * Math.sin(time * 5), 640 + 10 * Math.cos(time * 4)];
	return (
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}">${lensDefinitions(frame)}` +
		`<g transform="translate(450 600) rotate(${1.5 * Math.sin(time * 6)}) scale(${zoom}) translate(${-x} ${-y})">` +
		`${room}${parcel(Math.min(1, Math.max(0, time * 1.7 - 0.35)))}</g>${lensEffects(frame).replace(/<rect[^>]*noise[^>]*>/, '')}</svg>`
	);
}

/** @param {number} open 0 is closed, 1 is open */
function parcel(open) {
	const lift = Math.sin((open * Math.PI) / 2);
	// How far the edge of a flap has moved up and outwards from its closed position.
	const [up, out] = [140 * Math.sin(lift * 2.2), 170 - 170 * Math.cos(lift * 2.2)];
	const flap = (side) =>
		`<path d="M${side * 200} -330 L${side * (30 + out)} ${-330 - up} L${side * (10 + out)} ${-410 - up} L${side * 170} -410 Z" fill="${side < 0 ? '#cf9d66' : '#b9854f'}"/>`;
	const paper = `<path d="M-150 -350 q40 ${-120 * lift} 70 -20 q30 ${-150 * lift} 80 0 q50 ${-130 * lift} 70 10 q50 ${-110 * lift} 80 10 Z" fill="#f4ead8"/>`;
	return (
		'<g transform="translate(450 930)"><ellipse cy="8" rx="260" ry="34" opacity=".45" filter="url(#near)"/>' +
		`<path d="M-200 -330 L-170 -410 H170 L200 -330 Z" fill="#6d4524"/>${open > 0.1 ? paper : ''}` +
		'<rect x="-200" y="-330" width="400" height="330" fill="#c6925a"/><rect x="-200" y="-330" width="400" height="330" fill="url(#side)"/>' +
		'<rect x="-28" y="-330" width="56" height="120" fill="#e9d3a6" opacity=".8"/>' +
		'<path d="M110 -90 h60 M110 -70 h60 M110 -50 h36" stroke="#7a5630" stroke-width="6"/>' +
		`${flap(-1)}${flap(1)}</g>`
	);
}
