/** Problems of the store, the commands and the webhook receiver. */
export const COMMAND_ERRORS = {
	PR_USAGE: {
		title: 'The command line is wrong',
		happened: 'A command or an option is unknown, or its value is invalid.',
		remedy: 'Run `npx astro-product-reviews --help`.',
	},
	PR_STORE_MISSING: {
		title: 'There is no store',
		happened: 'Nothing was built here yet, or the store is in another folder.',
		remedy: 'Run `npx astro build`, or name the folder with `--root`, `--cache-dir` or `--store`.',
	},
	PR_STORE_UNUSABLE: {
		title: 'The store cannot be used',
		happened: 'Its file is damaged, of another version, or may not be read or written.',
		remedy:
			'Build again: a damaged file is set aside and a new one made. Check that the folder can be written.',
	},
	PR_STORE_BUSY: {
		title: 'The store is in use',
		happened: 'A build or another command has been writing to it for too long.',
		remedy: 'Try again when that has ended.',
	},
	PR_NOT_STORED: {
		title: 'The product is not in the store',
		happened: 'No build has fetched it for this website id, or its id is written differently.',
		remedy: 'List what is stored with `npx astro-product-reviews store ls`.',
	},
	PR_NO_REPORT: {
		title: 'There is no report of a build',
		happened: 'The last build did not finish, or its report cannot be read.',
		remedy: 'Run `npx astro build`.',
	},
	PR_FILE_NOT_WRITTEN: {
		title: 'A file cannot be written',
		happened: 'The folder of the file does not exist, is full, or may not be written.',
		remedy: 'Make the folder writable, or name another file.',
	},
	PR_OUTPUT_BUSY: {
		title: 'Another process holds the output folder',
		happened: 'A build or publish has held it for 10 minutes.',
		remedy: 'End that process, and publish again.',
	},
	PR_SHARD_UNUSABLE: {
		title: 'A folder has no build of a shard that can be used',
		happened:
			'The build of the shard did not finish, ran without `SHARD`, or was not copied as a whole, or its output has links that lead out of it.',
		remedy: 'Build that shard again, and copy its output folder and its store.',
	},
	PR_SHARD_MISSING: {
		title: 'A shard is missing',
		happened: 'A merge needs all shards of the site, and got only some.',
		remedy: 'Build the shards that the message names, and give the folders of all shards.',
	},
	PR_SHARDS_DIFFER: {
		title: 'Shards contradict each other',
		happened:
			'They were built with other versions, options or code, a file that several of them have is not the same in all, or two of their files have names that the file system takes for one.',
		remedy:
			'Build all shards from one commit, and from the same reviews. Have one shard build what lists the whole site.',
	},
	PR_SNAPSHOT_MISSING: {
		title: 'There is no snapshot',
		happened:
			'`store pull` found no file at the path or URL. Nothing was pushed there yet, or it has expired.',
		remedy: 'Check the address. Until `store push` has made a snapshot, a build fetches what it needs.',
	},
	PR_SNAPSHOT_UNUSABLE: {
		title: 'The snapshot cannot be used',
		happened:
			'The file is not whole, not a snapshot of a store, or of another version. The store was left unchanged.',
		remedy: 'Push a new snapshot, with the same version of this package.',
	},
	PR_SNAPSHOT_TRANSFER: {
		title: 'A snapshot could not be transferred',
		happened: 'The server did not answer, refused the request, or the connection broke.',
		remedy:
			'Check the URL, and whether it has expired. If the server wants a key, set `REVIEWS_SNAPSHOT_AUTHORIZATION`.',
	},
	PR_COMMAND_FAILED: {
		title: 'A command failed',
		happened: 'The command of `--then` or `--else` ended with an error.',
		remedy: 'Run it by itself. Its output is in the log.',
	},
	PR_WEBHOOK_SECRET: {
		title: 'The webhook secret is missing or unusable',
		happened: 'Events cannot be verified, so they are rejected, and new reviews do not appear.',
		remedy: 'Set `REVIEWS_WEBHOOK_SECRET` to the secret that the service shows; it begins with `whsec_`.',
	},
	PR_WEBHOOK_OPTIONS: {
		title: 'A setting of the webhook receiver is invalid',
		happened: 'An option of `product-reviews-webhook`, or of its functions, cannot be used.',
		remedy: 'Change what the message names. `npx product-reviews-webhook --help` lists all options.',
	},
	PR_WEBHOOK_BODY_READ: {
		title: "An event's body was read too early",
		happened: 'A body parser ran before the handler, and a parsed body cannot be verified.',
		remedy: 'Put the route before `express.json()`, or use `express.raw()` for it.',
	},
	PR_CHANGES_UNUSABLE: {
		title: 'The file of waiting changes cannot be used',
		happened: 'The file is damaged, not one of the receiver, or may not be written.',
		remedy: 'Move it away to start a new one, and build the whole site once.',
	},
	PR_FORWARD_FAILED: {
		title: 'An event could not be passed on',
		happened:
			'The receiver of `--forward` did not accept an event. Its change is recorded, and the sender sends it again.',
		remedy: 'Check that the address is that of the other receiver, and that both have the same secret.',
	},
	PR_REBUILD_FAILED: {
		title: 'A rebuild failed',
		happened: 'The command failed, or the deploy hook or GitHub did not accept the request.',
		remedy: 'Look at the output in the log. The receiver tries again, and no change is lost.',
	},
	PR_REDIS_UNREACHABLE: {
		title: 'Redis cannot be reached',
		happened: 'Receivers, or workers of a refresh, share their work through Redis, which does not answer.',
		remedy: 'Check the address that `--redis` or `--redis-env` gives, and that the server runs.',
	},
	PR_REDIS_MISSING: {
		title: 'BullMQ is not installed',
		happened: '`refresh --redis` needs the packages `bullmq` and `ioredis`, which are optional.',
		remedy: 'Run `npm install bullmq ioredis`.',
	},
} as const;
