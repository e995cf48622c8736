/** Runs something with the console's output on standard error: standard output is for the result of a command. */
export async function onStandardError<Result>(run: () => Promise<Result>): Promise<Result> {
	const { log, info } = console;
	console.log = console.error;
	console.info = console.error;
	try {
		return await run();
	} finally {
		Object.assign(console, { log, info });
	}
}
