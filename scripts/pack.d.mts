/** The published packages, each after those it depends on. */
export const PACKAGES: readonly { readonly directory: string }[];

/** Packs a package as it is published: the tarball's path, the package's name and the paths in it. */
export function pack(
	directory: string,
	destination: string,
): { readonly file: string; readonly name: string; readonly files: readonly string[] };
