declare module 's3rver' {
	import type { RequestListener } from 'node:http';
	import type { Readable } from 'node:stream';

	export interface S3Object {
		readonly bucket: string;
		readonly key: string;
		readonly content: Readable;
		/** In bytes. */
		readonly size: number;
		readonly metadata: Readonly<Record<string, string>>;
	}

	/** What s3rver uses of its store to read and write objects. */
	export interface S3Store {
		getBucket(name: string): Promise<object | null>;
		getSubresource(): Promise<null>;
		getObject(bucket: string, key: string): Promise<S3Object | null>;
		putObject(object: Omit<S3Object, 'size'>): Promise<{ readonly md5: string; readonly size: number }>;
	}

	export default class S3rver {
		constructor(options: { readonly silent?: boolean; readonly vhostBuckets?: boolean });
		readonly context: { store: S3Store };
		store: S3Store;
		callback(): RequestListener;
	}
}
