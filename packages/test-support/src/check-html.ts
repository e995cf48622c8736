import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const require = createRequire(import.meta.url);
const CHECKER = require.resolve('vnu-jar/build/dist/vnu.jar');
// The checker processes its grammar recursively, which requires a large stack, and ends before Java's slower, more thorough
// compilation would pay off. Language detection is disabled because it is inexact, and these pages have reviews in many
// languages. With `--verbose` the checker names every file that it has checked; it does not report missing files.
const JAVA_OPTIONS = ['-Xss4m', '-XX:TieredStopAtLevel=1', '-jar', CHECKER];
const CHECKER_OPTIONS = '--format json --stdout --exit-zero-always --no-langdetect --verbose'.split(' ');

interface Finding {
	readonly type: string;
	readonly url: string;
	readonly message: string;
	readonly extract?: string;
}

/**
 * Checks html files with the Nu HTML checker.
 * @throws Error when the checker left out a file.
 */
export async function checkHtml(files: readonly string[]) {
	const options = { maxBuffer: 64 * 1024 * 1024 };
	const command = [...JAVA_OPTIONS, ...CHECKER_OPTIONS, ...files];
	const { stdout, stderr } = await promisify(execFile)('java', command, options);
	const checked = new Set(stderr.split('\n'));
	const missing = files.filter((file) => !checked.has(file));
	if (missing.length > 0) throw new Error(`The Nu HTML checker skipped ${missing.join(', ')}.\n${stderr}`);
	const { messages } = JSON.parse(stdout) as { readonly messages: readonly Finding[] };
	return messages.map(({ type, url, message, extract = '' }) => ({
		file: fileURLToPath(url),
		severity: type === 'info' ? 'warning' : 'error',
		message,
		extract,
	}));
}
