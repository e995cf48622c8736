function count(value: number, noun: string): string {
	return `${value.toLocaleString('en')} ${noun}${value === 1 ? '' : 's'}`;
}

function seconds(milliseconds: number): string {
	return `${(milliseconds / 1_000).toFixed(1)} s`;
}

function changed({ products, all }: { readonly products: number; readonly all: boolean }): string {
	return all ? 'all products' : count(products, 'product');
}

/** A URL reduced to its host: the path of a deploy hook is secret. */
function hostOf(address: string): string {
	const url = URL.parse(address);
	return url ? `${url.protocol}//${url.host}/…` : 'an invalid URL';
}

/** If somebody gives the secret itself instead of the name of its variable, it must not appear in a log. */
function variable(name: string): string {
	return /^[A-Z_][A-Z0-9_]{0,99}$/.test(name)
		? `The environment variable ${name}`
		: 'The environment variable that an option names';
}

/** Everything that a receiver says: errors, log lines, and its answers. None of it repeats a secret. */
export const messages = {
	// Answers to the sender. They reveal no more than it needs.
	notPost: 'Send events with POST.',
	tooLarge: (maxBytes: number) => `The body is larger than ${maxBytes} bytes.`,
	notJson: 'Send events as application/json.',
	invalidJson: 'The body is not valid JSON.',
	notGenuine: 'The request could not be verified: its signature or key, or its time, is missing or wrong.',
	notRecorded: 'The event could not be taken. Send it again.',
	notFound: 'Not found.',
	wrongHost:
		'The status is only available at localhost, at IP addresses and at the host that the receiver listens on.',
	unhealthy: 'The waiting changes cannot be read, so no event can be accepted.',

	// Settings that cannot be used.
	number: (name: string, min: number, max: number) =>
		`The option "${name}" must be a number from ${min} to ${max}.`,
	noVerifier:
		'The option "verify" must be standardWebhooks(secret), sharedHeader(name, secret), a function, or a list of these. ' +
		'Without it, anyone could start rebuilds.',
	headerName: 'The first argument of sharedHeader() must be the name of a header.',
	headerSecret: (name: string, min: number) =>
		`A secret of sharedHeader("${name}", ...) is missing or shorter than ${min} characters.`,
	secret: (problem: string, min: number, max: number) =>
		`The webhook secret ${problem}. Expected "whsec_" followed by the base64 of ${min} to ${max} bytes, as shown by the review service.`,
	noSecret: (name: string) =>
		`${variable(name)} is not set. Set it to the webhook secret that the review service shows (it begins with "whsec_").`,
	noVariable: (name: string) => `${variable(name)} is not set.`,
	deployHook: 'The deploy hook URL is missing or is not an https URL.',
	repository: 'The option "repository" of githubDispatch() must be of the form "owner/name".',
	noToken: 'The option "token" of githubDispatch() is missing.',
	noCommand: 'The rebuild command is missing.',
	forward: 'The address to forward events to is not an http(s) URL.',
	redisUrl: 'The Redis URL is missing or is not of the form redis://user:password@host:6379.',

	// The command line.
	argument: (problem: string) => `${problem}. See --help.`,
	oneWay: 'Choose how to rebuild: pass exactly one of --run, --deploy-hook-env and --github. See --help.',
	onePlace: 'Choose where changes are kept: pass either --queue-file or --redis-env. See --help.',
	oneTiming: 'Choose when to rebuild: pass either --immediate, or --debounce and --max-wait. See --help.',
	forwardOption: '--forward must be an http(s) URL.',
	port: '--port must be a number from 0 to 65535.',
	path: '--path must be a path such as /reviews, and cannot be /healthz or /status.',
	duration: (option: string) => `--${option} must be a time with a unit, such as 500ms, 30s, 5m or 1h.`,
	noIoredis: '--redis-env needs ioredis, which is not installed. Run: npm install ioredis',
	listening: (url: string) => `Listening at ${url}; status at ${new URL('/status', url)}`,
	shuttingDown: 'Shutting down; a running rebuild is allowed to finish.',
	shuttingDownNow: 'Shutting down now.',
	ended: 'The receiver is shutting down.',

	// Events.
	bodyWasRead:
		'The body of the event was read before it reached the webhook handler. Put the route before express.json() and other body parsers, or use express.raw({ type: "application/json" }) for it.',
	senderLeft: 'The sender disconnected.',
	unusableIds: (number: number) =>
		`An event names ${count(number, 'unusable product id')}. All products are treated as changed.`,
	eventFailed: (reason: string) => `Error while handling an event: ${reason}`,

	// Rebuilds.
	rebuildStarted: (what: Parameters<typeof changed>[0]) => `Rebuild for ${changed(what)} started.`,
	rebuildFinished: (what: Parameters<typeof changed>[0], duration: number) =>
		`Rebuild for ${changed(what)} finished in ${seconds(duration)}.`,
	rebuildFailed: (reason: string, pause: number) =>
		`Rebuild failed: ${reason} Retrying in ${seconds(pause)}.`,
	hookCalled: (url: string) => `Deploy hook called: ${hostOf(url)}`,
	workflowStarted: (eventType: string, repository: string) =>
		`Workflow started: repository_dispatch "${eventType}" of ${repository}`,
	hookLate: (url: string, timeout: number) => `${hostOf(url)} did not answer within ${timeout} ms.`,
	hookUnreachable: (url: string, error: unknown) => {
		// Only the code: messages contain URLs.
		const { code } = ((error as Error)?.cause ?? {}) as { code?: unknown };
		const isCode = typeof code === 'string' && /^[A-Z][A-Z_\d]{0,40}$/.test(code);
		return `${hostOf(url)} could not be reached${isCode ? ` (${code})` : ''}.`;
	},
	hookAnswered: (url: string, status: number) => `${hostOf(url)} answered ${status}.`,
	commandFailed: (status: string, output: string) =>
		`The command ended with ${status}.\nEnd of its output:\n${output}\n.`,
	commandIncomplete: (status: string) =>
		`The command ended with ${status}: it did what it could, and some pages need a rebuild.`,
	commandLate: (timeout: number) => `The command took longer than ${timeout / 1_000} s and was ended.`,
	commandEnded: 'The command was ended because the receiver is shutting down.',
	commandOutput: (line: string) => `| ${line}`,
	tooMuchOutput: '| (further output is not logged)',

	// Waiting changes.
	logFailed: (reason: string, pause: number) =>
		`The waiting changes cannot be used: ${reason} Trying again every ${seconds(pause)}.`,
	logRecovered: 'The waiting changes can be used again.',
	fileUnusable: (file: string, reason: string) =>
		`The file of waiting changes cannot be used (${file}): ${reason}. Move it away to start a new one, and build the whole site once.`,
	otherProgram: 'it was created by another program or by another version of this receiver',
	pagesDamaged: 'its pages are damaged',
	fileSetAside: (reason: string, name: string) =>
		`The file of waiting changes was damaged (${reason}). It was renamed to "${name}", and a new one was started. ` +
		'It may have lost which products changed, so the next rebuild is for all products. If this keeps happening, check the disk.',
	redisFailed: (reason: string) => `Redis cannot be used: ${reason}`,
	lockLost: 'Redis could not be reached, so another receiver may take over.',
};
