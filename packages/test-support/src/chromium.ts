import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLastingFolder } from './folder.ts';
import { runNode } from './node-program.ts';
import { findProgram } from './programs.ts';

/** How to start Chromium, as playwright-core takes it. */
export interface Chromium {
	readonly executablePath: string;
	readonly args: string[];
	readonly env: NodeJS.ProcessEnv;
}

const ARGUMENTS = [
	'--headless',
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** The Chromium of this machine, or else the one that npm brings, for Linux on x64. */
export async function findChromium(): Promise<Chromium> {
	const installed = findProgram('chromium');
	if (installed) return { executablePath: installed, args: ARGUMENTS, env: process.env };
	if (process.platform !== 'linux' || process.arch !== 'x64') {
		throw new Error(
			'npm brings Chromium for Linux on x64 alone: install one that is `chromium` on the PATH.',
		);
	}
	const folder = await unpacked();
	return {
		executablePath: join(folder, 'chromium'),
		args: ARGUMENTS,
		env: {
			...process.env,
			// Its own fonts, and the libraries that a machine without a desktop lacks.
			FONTCONFIG_PATH: join(folder, 'fonts'),
			LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
		},
	};
}

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const UNPACK = fileURLToPath(new URL('./unpack-chromium.ts', import.meta.url));

/** The package's own file looks for its fonts in folders of its hosts alone, and without a font no text is painted. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
	<dir prefix="relative">fonts</dir>
	<cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/** Unpacks it where that was not done before. Of processes that do so at the same time, the first one's folder stays. */
async function unpacked(): Promise<string> {
	const { version } = JSON.parse(readFileSync(join(MODULES, '@sparticuz/chromium/package.json'), 'utf8'));
	const target = join(MODULES, '.cache', `chromium-${version}`);
	if (existsSync(target)) return target;
	mkdirSync(join(MODULES, '.cache'), { recursive: true });
	const { folder, remove } = createLastingFolder('chromium', join(MODULES, '.cache'));
	const { ended, output } = runNode([UNPACK], { env: { ...process.env, TMPDIR: folder } });
	try {
		if ((await ended) !== 0) throw new Error(`Chromium could not be unpacked:\n${output()}`);
		writeFileSync(join(folder, 'fonts/fonts.conf'), FONTS);
		renameSync(folder, target);
	} catch (error) {
		remove();
		if (!existsSync(target)) throw error;
	}
	return target;
}
