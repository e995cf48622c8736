/** Alternates between two folders: a site is built into one while visitors see the other. */
export function createTwoFolders<Request>(
	parent: string,
	buildInto: (folder: string, request: Request) => Promise<void>,
): { readonly current: () => string; readonly build: (request: Request) => Promise<void> };
