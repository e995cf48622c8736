// Unpacks the Chromium that npm brings:  TMPDIR=<empty folder> node unpack-chromium.ts
// The package unpacks to the system's temporary folder, and takes for whole what is there: hence a process of its own.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflate } from '@sparticuz/chromium';

const BIN = fileURLToPath(new URL('../bin', import.meta.resolve('@sparticuz/chromium')));

for (const name of ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br']) {
	await inflate(join(BIN, name));
}
