/** The published packages, each after its dependencies. */
export const PACKAGES: readonly { readonly directory: string }[];

/** A packed package. */
export interface Packed {
	/** Path of the tarball. */
	readonly file: string;
	readonly name: string;
	readonly version: string;
	/** Paths in it. */
	readonly files: readonly string[];
	/** Size of each, in bytes. */
	readonly sizes: ReadonlyMap<string, number>;
	readonly packedBytes: number;
	readonly unpackedBytes: number;
}

/** Packs a package as published. */
export function pack(directory: string, destination: string): Packed;

/** Points the links of a README to the site and the repository. */
export function rewriteLinks(
	markdown: string,
	directory: string,
	addresses: { site?: string | null; repository?: string | null },
): string;
