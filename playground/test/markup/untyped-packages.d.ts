// Neither package has types; these are the parts that the tests use.

declare module '@marbec/web-auto-extractor' {
	/** The top-level nodes of scripts and elements, by format and type. */
	export type ExtractedData = Readonly<
		Record<
			'jsonld' | 'microdata' | 'rdfa',
			Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>
		>
	>;

	export default class WebAutoExtractor {
		constructor(options: { addLocation: boolean; embedSource: readonly string[] });
		parse(html: string): ExtractedData;
	}
}

declare module '@adobe/structured-data-validator' {
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
		validate(data: import('@marbec/web-auto-extractor').ExtractedData): Promise<readonly Issue[]>;
	}
}
