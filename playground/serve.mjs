import { open, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

const CONTENT_TYPES = {
	'.css': 'text/css; charset=utf-8',
	'.html': 'text/html; charset=utf-8',
	'.ico': 'image/x-icon',
	'.jpg': 'image/jpeg',
	'.js': 'text/javascript; charset=utf-8',
	'.json': 'application/json; charset=utf-8',
	'.md': 'text/markdown; charset=utf-8',
	'.png': 'image/png',
	'.svg': 'image/svg+xml',
	'.txt': 'text/plain; charset=utf-8',
	'.webp': 'image/webp',
	'.xml': 'application/xml; charset=utf-8',
};

/**
 * Serves a built site like a static host: `/products/` serves `products/index.html`, `/products` redirects there, and
 * unknown paths get the site's `404.html`. Files outside the folder are never read.
 *
 * @param {string | URL | (() => string)} directory a function is called for every request
 * @param {{ port?: number, host?: string }} [options] port 0, the default, picks a free one
 * @returns {Promise<{ url: string, close: () => Promise<void> }>} `url` has no trailing slash
 */
export async function serve(directory, { port = 0, host = '127.0.0.1' } = {}) {
	const root = typeof directory === 'function' ? directory : () => directory;
	const server = createServer((request, response) => {
		answer(toPath(root()), request, response).catch(() => response.destroy());
	});
	await new Promise((done, failed) => {
		server.once('error', failed).listen(port, host, () => done(undefined));
	});
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The server has no port.');
	return { url: `http://${host}:${address.port}`, close: () => close(server) };
}

/** @param {string | URL} directory */
function toPath(directory) {
	return resolve(directory instanceof URL ? fileURLToPath(directory) : directory);
}

/**
 * @param {string} root
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function answer(root, request, response) {
	if (request.method !== 'GET' && request.method !== 'HEAD') {
		response.writeHead(405, { Allow: 'GET, HEAD' }).end();
		return;
	}
	const [path = '/', query] = (request.url ?? '/').split('?', 2);
	const file = toFile(root, path);
	const found = file === undefined ? undefined : await lookUp(file, path.endsWith('/'));
	if (found === 'folder') {
		response.writeHead(308, {
			Location: `${path.replace(/^\/+/, '/')}/${query === undefined ? '' : `?${query}`}`,
		});
		response.end();
	} else if (found !== undefined) {
		await send(found, 200, request, response);
	} else {
		const page = join(root, '404.html');
		if ((await lookUp(page, false)) === page) await send(page, 404, request, response);
		else response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' }).end('Not found\n');
	}
}

/**
 * Resolves the path of a request to a file; `undefined` if it is outside the root, hidden, or malformed.
 *
 * @param {string} root
 * @param {string} path
 */
function toFile(root, path) {
	let decoded;
	try {
		decoded = decodeURIComponent(path);
	} catch {
		return undefined;
	}
	if (decoded.includes('\0') || decoded.split(/[/\\]/).some((part) => part.startsWith('.'))) return undefined;
	const file = resolve(root, `./${decoded}`);
	return file === root || file.startsWith(root + sep) ? file : undefined;
}

/**
 * @param {string} file
 * @param {boolean} asFolder the path ended with a slash
 * @returns {Promise<string | undefined>} the file to send, `'folder'` if the path needs a trailing slash, or `undefined`
 */
async function lookUp(file, asFolder) {
	const target = asFolder ? join(file, 'index.html') : file;
	const stats = await stat(target).catch(() => undefined);
	if (stats?.isFile()) return target;
	if (!stats?.isDirectory()) return undefined;
	return (await stat(join(target, 'index.html')).catch(() => undefined))?.isFile() ? 'folder' : undefined;
}

/**
 * @param {string} file
 * @param {number} status
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function send(file, status, request, response) {
	// Size and contents of one file: another may take its place in the meantime.
	await using handle = await open(file);
	const { size } = await handle.stat();
	response.writeHead(status, {
		'Content-Type': CONTENT_TYPES[extname(file)] ?? 'application/octet-stream',
		'Content-Length': size,
		'Cache-Control': 'no-cache',
		'X-Content-Type-Options': 'nosniff',
	});
	if (request.method === 'HEAD') response.end();
	else await pipeline(handle.createReadStream(), response);
}

/** @param {import('node:http').Server} server */
function close(server) {
	return new Promise((done, failed) => {
		server.close((error) => (error ? failed(error) : done(undefined)));
		server.closeAllConnections();
	});
}
