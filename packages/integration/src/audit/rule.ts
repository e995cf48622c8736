import type { ListFacts, OffersFacts, SchemaFacts, StarsFacts } from '../render/parts.js';
import type { PageMarkup } from './markup.js';

/** What is known about one product on a page. */
export interface PlacedProduct {
	readonly pid: string;
	readonly schemas: readonly SchemaFacts[];
	readonly lists: readonly ListFacts[];
	readonly stars: readonly StarsFacts[];
	readonly offers: readonly OffersFacts[];
	/** What own markup shows is not known: it gets the benefit of the doubt. */
	readonly hasOwnMarkup: boolean;
}

/** The words of a rule that a page may break. */
interface RuleWords {
	readonly name: string;
	/** What a page has to do, as a sentence. */
	readonly demand: string;
	/** What is wrong, as a clause: "1 page: <wrong>: <pages>." */
	readonly wrong: string;
	/** What to do, in whole sentences. */
	readonly remedy: string;
	/** Whether search engines only recommend it. @default false */
	readonly isRecommended?: boolean;
}

/** A rule about what components placed on a page. Builds and dev servers check it. */
export interface PlacementRule extends RuleWords {
	/** Whether it is about this product. */
	readonly about: (product: PlacedProduct) => boolean;
	/** The products of the page that break it. */
	readonly find: (page: readonly PlacedProduct[]) => readonly PlacedProduct[];
}

/** A rule about the markup of a finished page. Only the dev toolbar checks it: builds do not parse their pages. */
export interface MarkupRule extends RuleWords {
	readonly judge: (markup: PageMarkup) => {
		/** Whether the page has anything that the rule is about. */
		readonly isAbout: boolean;
		/** Names of what breaks it. */
		readonly broken: readonly string[];
	};
}
