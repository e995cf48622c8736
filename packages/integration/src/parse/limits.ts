/** Longest html of one product that is read, in UTF-16 code units. More is an error of that product. */
export const MAX_HTML_LENGTH = 4_194_304;

/** Longest JSON-LD of one product that is read, in UTF-16 code units. More is an error of that product. */
export const MAX_JSONLD_LENGTH = 4_194_304;

/** Deepest nesting of elements that is read. Deeper html is an error of that product: the service's has four levels. */
export const MAX_DEPTH = 64;

/** Most elements that the html or the JSON-LD of one product may make when it is parsed. A review is nine. */
export const MAX_ELEMENTS = 250_000;

/** Most reviews of one product that are kept, in the order of the service; the aggregate rating counts them all. */
export const MAX_REVIEWS = 2_000;

/** Longest texts that are kept, in UTF-16 code units; what is longer is cut and ends in an ellipsis. */
export const MAX_TEXT_LENGTH = { name: 200, title: 500, body: 20_000, url: 2_048 } as const;

/** Most reviews of one product's review data that are kept, in the order of the service. */
export const MAX_FULL_REVIEWS = 5_000;

/** Most media items of one product's review data that are kept, in the order of the service. */
export const MAX_MEDIA = 5_000;

/** Most questions of one product's review data that are kept, in the order of the service. */
export const MAX_QUESTIONS = 2_000;

/** Most topics of one product, and most summaries of topics in one language, that are kept. */
export const MAX_TOPICS = 200;

/** Most languages in which names and summaries of topics are kept. */
export const MAX_LANGUAGES = 100;

/** Most images, videos, tags, topics or answers of one review that are kept. */
export const MAX_ATTACHED = 50;
