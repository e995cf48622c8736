type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that only a receiver needs: what it checks events with, and what it starts rebuilds elsewhere with. */
const OWN = [
	'REVIEWS_WEBHOOK_SECRET',
	'REVIEWS_WEBHOOK_KEY',
	'GITHUB_DISPATCH_TOKEN',
	'DEPLOY_HOOK_URL',
	'REDIS_URL',
];

/**
 * The environment of a command: that of the receiver without the receiver's own secrets. A build runs the code of many
 * packages, and none of them needs these.
 * @param names of variables that hold secrets of this receiver besides the usual ones.
 */
export function commandEnvironment(environment: Environment, names: readonly string[] = []): Environment {
	const left = new Set([...OWN, ...names]);
	return Object.fromEntries(Object.entries(environment).filter(([name]) => !left.has(name)));
}
