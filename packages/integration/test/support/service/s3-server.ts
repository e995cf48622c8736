import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Listening, listen } from 'product-reviews-test-support/listen';

/** The part of S3 that stores objects: one empty bucket, in this process. */
export interface S3Server extends Listening {
	readonly config: typeof CONFIG & { readonly endpoint: string };
	readonly requests: Map<string, number>;
	keys(): string[];
}

const CONFIG = {
	bucket: 'shop',
	region: 'eu-central-1',
	accessKeyId: 'canary-s3-key',
	secretAccessKey: 'canary-s3-secret',
};

export async function startS3(): Promise<S3Server> {
	const objects = new Map<string, Buffer>();
	const requests = new Map<string, number>();
	const listening = await listen(
		createServer(async (request, response) => {
			const { method = '' } = request;
			requests.set(method, (requests.get(method) ?? 0) + 1);
			const { status, headers, body } = await answer(request, objects);
			response.writeHead(status, headers).end(method === 'HEAD' ? '' : body);
		}),
	);
	return {
		...listening,
		config: { ...CONFIG, endpoint: listening.url },
		requests,
		keys: () => [...objects.keys()],
	};
}

/** Checks the name of the access key, and no signature. */
async function answer(request: IncomingMessage, objects: Map<string, Buffer>) {
	const { method, url = '', headers } = request;
	const [, bucket, ...names] = decodeURIComponent(url.replace(/\?.*/, '')).split('/');
	const key = names.join('/');
	const [, accessKey = ''] = /Credential=([^/]+)/.exec(headers.authorization ?? '') ?? [];
	if (accessKey !== CONFIG.accessKeyId) {
		const message = 'The AWS Access Key Id you provided does not exist in our records.';
		return failure(403, 'InvalidAccessKeyId', message, `<AWSAccessKeyId>${accessKey}</AWSAccessKeyId>`);
	}
	if (bucket !== CONFIG.bucket) return failure(404, 'NoSuchBucket', 'The bucket does not exist.');
	if (method === 'PUT') {
		// As in S3, an object is there as a whole or not at all.
		objects.set(key, await buffer(request));
		return { status: 200, headers: {}, body: '' };
	}
	const body = objects.get(key);
	if (!body) return failure(404, 'NoSuchKey', 'The key does not exist.');
	const etag = `"${createHash('md5').update(body).digest('hex')}"`;
	return { status: 200, headers: { etag, 'content-length': String(body.length) }, body };
}

function failure(status: number, code: string, message: string, details = '') {
	const error = `<Error><Code>${code}</Code><Message>${message}</Message>${details}</Error>`;
	const headers = { 'content-type': 'application/xml' };
	return { status, headers, body: `<?xml version="1.0" encoding="UTF-8"?>\n${error}` };
}
