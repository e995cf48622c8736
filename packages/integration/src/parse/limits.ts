/** Longest html of one product, in UTF-16 code units. Longer html is an error of that product. */
export const MAX_HTML_LENGTH = 4_194_304;

/** Longest JSON-LD of one product, in UTF-16 code units. Longer JSON-LD is an error of that product. */
export const MAX_JSONLD_LENGTH = 4_194_304;

/** Deepest nesting of elements. Deeper html is an error of that product; the service's has four levels. */
export const MAX_DEPTH = 64;

/** Most elements that parsing the html or the JSON-LD of one product may create. A review has nine. */
export const MAX_ELEMENTS = 250_000;

/** Most reviews of one product to keep, in the order of the service. The aggregate rating counts all of them. */
export const MAX_REVIEWS = 2_000;

/** Longest texts to keep, in UTF-16 code units. Longer ones are cut and end in an ellipsis. */
export const MAX_TEXT_LENGTH = { name: 200, title: 500, body: 20_000, url: 2_048 } as const;

/** Most reviews of one product's review data to keep, in the order of the service. */
export const MAX_FULL_REVIEWS = 5_000;

/** Most media items of one product's review data to keep, in the order of the service. */
export const MAX_MEDIA = 5_000;

/** Most questions of one product's review data to keep, in the order of the service. */
export const MAX_QUESTIONS = 2_000;

/** Most topics of one product, and most topic summaries in one language, to keep. */
export const MAX_TOPICS = 200;

/** Most languages in which to keep names and summaries of topics. */
export const MAX_LANGUAGES = 100;

/** Most images, videos, tags, topics or answers of one review to keep. */
export const MAX_ATTACHED = 50;
