/** The published packages, each after its dependencies. */
export const PACKAGES: readonly { readonly directory: string }[];

/** Packs a package as published. Returns the tarball's path, the package's name and the paths in it. */
export function pack(
	directory: string,
	destination: string,
): { readonly file: string; readonly name: string; readonly files: readonly string[] };
