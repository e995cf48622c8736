export function stagePackage(from: string, to: string): Promise<void>;
export function rewriteLinks(
	markdown: string,
	directory: string,
	addresses: { site?: string | null; repository?: string | null },
): string;
