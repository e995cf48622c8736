type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that only a receiver needs: to verify events and to trigger rebuilds elsewhere. */
const OWN = [
	'REVIEWS_WEBHOOK_SECRET',
	'REVIEWS_WEBHOOK_KEY',
	'GITHUB_DISPATCH_TOKEN',
	'DEPLOY_HOOK_URL',
	'REDIS_URL',
];

/**
 * The environment of a command: the receiver's environment without its own secrets. A build runs code from many packages,
 * and none of it needs them.
 * @param names further variables that hold secrets of this receiver.
 */
export function commandEnvironment(environment: Environment, names: readonly string[] = []): Environment {
	const left = new Set([...OWN, ...names]);
	return Object.fromEntries(Object.entries(environment).filter(([name]) => !left.has(name)));
}
