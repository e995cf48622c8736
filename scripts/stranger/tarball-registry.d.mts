/** An npm registry on this machine that has the packed packages as if they were published. */
export function startTarballRegistry(
	packages: readonly {
		readonly manifest: { readonly name: string; readonly version: string };
		readonly file: string;
	}[],
	upstream: string,
): Promise<{ readonly url: string; close(): void }>;
