import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { createFolder } from 'product-reviews-test-support/folder';
import { findProgram } from 'product-reviews-test-support/programs';
import { vi } from 'vitest';

/** An nginx in front of a folder. */
export interface Nginx {
	/** The text of a page, and whether it was sent from its compressed copy. */
	get(path: string): Promise<{ readonly text: string; readonly isCompressed: boolean }>;
	close(): Promise<void>;
}

/** Serves a folder with `gzip_static`, on a socket of its own. */
export async function startNginx(root: string): Promise<Nginx> {
	const folder = createFolder('nginx');
	const socketPath = join(folder, 'socket');
	const config = join(folder, 'nginx.conf');
	writeFileSync(config, configuration(folder, root, socketPath));
	const program = findProgram('nginx', '-v');
	if (program === undefined) throw new Error('There is no nginx on this machine.');
	const child = spawn(program, ['-c', config, '-p', folder, '-e', join(folder, 'error.log')], {
		stdio: 'inherit',
	});
	const get: Nginx['get'] = async (path) => {
		const sent = request({ socketPath, path, headers: { 'accept-encoding': 'gzip' } }).end();
		const [response] = await once(sent, 'response');
		const body = await buffer(response);
		const isCompressed = response.headers['content-encoding'] === 'gzip';
		return { text: String(isCompressed ? gunzipSync(body) : body), isCompressed };
	};
	await vi.waitFor(() => get('/'), { timeout: 30_000 });
	return {
		get,
		async close() {
			const ended = once(child, 'exit');
			child.kill('SIGTERM');
			await ended;
		},
	};
}

const configuration = (folder: string, root: string, socketPath: string) => `
daemon off;
pid ${folder}/nginx.pid;
worker_processes 1;
events { worker_connections 64; }
http {
	types { text/html html; }
	access_log off;
	client_body_temp_path ${folder}/body;
	proxy_temp_path ${folder}/proxy;
	fastcgi_temp_path ${folder}/fastcgi;
	uwsgi_temp_path ${folder}/uwsgi;
	scgi_temp_path ${folder}/scgi;
	server {
		listen unix:${socketPath};
		root ${root};
		gzip_static on;
	}
}
`;
