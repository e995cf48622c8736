import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const SCHEMA = fileURLToPath(new URL('../../corpora/product-ratings-2.4.xsd', import.meta.url));

/** Asks xmllint whether a file is a product ratings feed as its schema has it. */
export function lint(file: string): { readonly status: number | null; readonly problems: string } {
	// A stream, since a feed may be 99 MB long.
	const args = ['--noout', '--stream', '--schema', SCHEMA, file];
	const { status, stderr } = spawnSync('xmllint', args, { encoding: 'utf8' });
	return { status, problems: status === 0 ? '' : stderr.slice(0, 2_000) };
}
