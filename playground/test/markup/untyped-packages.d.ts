// Neither package has types; these are the parts that the tests use.

declare module '@marbec/web-auto-extractor' {
	/** The top-level nodes of scripts and elements, by type. */
	type NodesByType = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

	export interface ExtractedData {
		readonly jsonld: NodesByType;
		readonly microdata: NodesByType;
		readonly rdfa: NodesByType;
	}

	export default class WebAutoExtractor {
		constructor(options: { addLocation: boolean; embedSource: readonly string[] });
		parse(html: string): ExtractedData;
	}
}

declare module '@adobe/structured-data-validator' {
	import type { ExtractedData } from '@marbec/web-auto-extractor';

	export interface Issue {
		readonly severity: 'ERROR' | 'WARNING';
		readonly issueMessage: string;
		/** Path from the top node down; missing if the script itself cannot be parsed. */
		readonly path?: readonly {
			readonly type?: string;
			readonly property?: string;
			readonly index?: number;
		}[];
	}

	export default class Validator {
		constructor(vocabulary: unknown);
		validate(data: ExtractedData): Promise<readonly Issue[]>;
	}
}
