import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/**
 * An npm registry on this machine that has the packed packages as if they were published, and sends everything else to
 * another registry.
 * @param {{ manifest: { name: string, version: string }, file: string }[]} packages
 * @param {string} upstream address of the other registry
 * @returns {Promise<{ url: string, close(): void }>}
 */
export async function startTarballRegistry(packages, upstream) {
	const server = createServer((request, response) => {
		const [name = '', version] = decodeURIComponent(request.url ?? '')
			.slice(1)
			.split('/');
		const found = packages.find(({ manifest }) => manifest.name === name);
		if (found && version === '-') return void response.end(readFileSync(found.file));
		if (found) return answer(response, version ? toVersion(found, url) : toPackument(found, url));
		// Astro asks for an official package of the same name first.
		if (packages.some(({ manifest }) => version === manifest.name)) return void response.writeHead(404).end();
		response.writeHead(302, { location: new URL(request.url ?? '', upstream).href }).end();
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const url = `http://127.0.0.1:${server.address().port}`;
	return {
		url,
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
}

function toPackument(found, url) {
	const { name, version } = found.manifest;
	return { name, 'dist-tags': { latest: version }, versions: { [version]: toVersion(found, url) } };
}

function toVersion({ manifest, file }, url) {
	const integrity = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
	const tarball = `${url}/${manifest.name}/-/${manifest.name}-${manifest.version}.tgz`;
	return { ...manifest, dist: { tarball, integrity } };
}

function answer(response, value) {
	response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
