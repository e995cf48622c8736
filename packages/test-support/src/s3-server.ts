import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import S3rver, { type S3Store } from 's3rver';
import { type Listening, listen } from './listen.ts';

/** A local S3 with one empty bucket, in this process. */
export interface S3Server extends Listening {
	/** What the driver of `unstorage` is to be given. */
	readonly config: {
		readonly endpoint: string;
		readonly bucket: string;
		readonly region: string;
		readonly accessKeyId: string;
		readonly secretAccessKey: string;
	};
	/** How many requests there were, by method. */
	readonly requests: Map<string, number>;
	/** Time before each answer, in milliseconds. */
	latency: number;
	/** Keys of all objects. */
	keys(): string[];
}

const BUCKET = 'shop';

export async function startS3(): Promise<S3Server> {
	const server = new S3rver({ silent: true, vhostBuckets: false });
	const objects = new Map<string, Written>();
	server.store = createStore(objects);
	server.context.store = server.store;
	const answer = server.callback();
	const requests = new Map<string, number>();
	const listening = await listen(
		createServer(async (request, response) => {
			const { method = '' } = request;
			requests.set(method, (requests.get(method) ?? 0) + 1);
			if (s3.latency > 0) await sleep(s3.latency);
			answer(request, response);
		}),
	);
	const s3: S3Server = {
		...listening,
		// s3rver knows only this key, and checks no signatures.
		config: {
			endpoint: listening.url,
			bucket: BUCKET,
			region: 'eu-central-1',
			accessKeyId: 'S3RVER',
			secretAccessKey: 'canary-s3-secret',
		},
		requests,
		latency: 0,
		keys: () => [...objects.keys()],
	};
	return s3;
}

interface Written {
	readonly content: Buffer;
	readonly metadata: Readonly<Record<string, string>>;
}

/** As in S3, an object is there as a whole or not at all. The store of s3rver writes files while they are read. */
function createStore(objects: Map<string, Written>): S3Store {
	return {
		getBucket: async (name) => (name === BUCKET ? {} : null),
		getSubresource: async () => null,
		async getObject(bucket, key) {
			const found = objects.get(key);
			if (!found) return null;
			const { content, metadata } = found;
			return { bucket, key, content: Readable.from(content), size: content.length, metadata };
		},
		async putObject({ key, content, metadata }) {
			const written = await buffer(content);
			const md5 = createHash('md5').update(written).digest('hex');
			objects.set(key, {
				content: written,
				metadata: {
					...metadata,
					etag: JSON.stringify(md5),
					'last-modified': new Date().toUTCString(),
				},
			});
			return { md5, size: written.length };
		},
	};
}
