import { ProductReviewsConfigurationError } from '../../errors.js';
import type {
	ProviderOptions,
	ProviderRating,
	ProviderReply,
	ProviderReview,
} from '../../options/provider.js';
import { plainText } from '../plain-text.js';

/** Plain data of an answer. */
export type Fields = Readonly<Record<string, unknown>>;

/** Parameters of an address. */
export type Query = Readonly<Record<string, string>>;

/** Holds what a request needs besides its address. */
interface Request extends Pick<ProviderOptions, 'signal'> {
	readonly headers?: Readonly<Record<string, string>>;
	/** Sent as JSON with POST. @default GET */
	readonly body?: unknown;
}

/**
 * Requests JSON.
 * @throws Error with the response as its cause: its status decides if the request is tried again.
 */
export async function readJson(address: URL, { signal, headers, body }: Request): Promise<Fields> {
	const post = body !== undefined && { method: 'POST', body: JSON.stringify(body) };
	const type = { accept: 'application/json', ...(post && { 'content-type': 'application/json' }) };
	const response = await fetch(address, { signal, ...post, headers: { ...type, ...headers } });
	const place = `${address.origin}${address.pathname}`;
	const text = await response.text();
	const answer = parse(text);
	if (!response.ok) {
		const said = [answer?.['message'], answer?.['error'], answer?.['errors']].find(isText);
		throw refused(`${place} responded with ${response.status}${said ? `: ${said}` : ''}`, response);
	}
	if (answer) return answer;
	// Such as the page of a firewall, or of a shop that is not open yet.
	throw refused(`${place} responded with status ${response.status}, but without JSON`, 502);
}

/** Makes an error of what a service says with a status of its own, or in an answer that succeeded. */
export function refused(message: string, cause: Response | number): Error {
	const response = typeof cause === 'number' ? new Response(null, { status: cause }) : cause;
	return new Error(message, { cause: response });
}

function parse(text: string): Fields | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
	} catch {
		return undefined;
	}
}

/** Reads a list of objects, which is empty where there is none. */
export function listOf(value: unknown): readonly Fields[] {
	return Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : [];
}

export function textOf(value: unknown): string | undefined {
	return isText(value) ? value : undefined;
}

/** Reads html, or text with entities, as text. */
export function plainTextOf(value: unknown): string {
	return plainText(textOf(value));
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}

/** Reads a number of stars that may be a text; `undefined` where something is not rated, which some say with 0. */
export function starsOf(value: unknown): number | undefined {
	const stars = typeof value === 'string' ? Number.parseFloat(value) : value;
	return typeof stars === 'number' && stars > 0 ? stars : undefined;
}

/** Completes an address without a scheme. */
export function addressOf(value: unknown): string | undefined {
	const text = textOf(value);
	return text?.startsWith('//') ? `https:${text}` : text;
}

/** Reads pictures: each once, since services may send them twice. */
export function picturesOf(
	pictures: readonly { readonly image: unknown; readonly thumbnail?: unknown }[],
): Pick<ProviderReview, 'images' | 'thumbnails'> {
	const read = pictures.map(({ image, thumbnail }) => [addressOf(image), addressOf(thumbnail)] as const);
	const images = [...new Set(read.flatMap(([image]) => image ?? []))];
	const small = read.filter((pair): pair is readonly [string, string] => !pair.includes(undefined));
	return { images, ...(small.length > 0 && { thumbnails: Object.fromEntries(small) }) };
}

/** Reads the store's answer to a review; `undefined` if there is none. */
export function replyOf(
	text: string | undefined,
	date: unknown,
	author?: unknown,
): ProviderReply | undefined {
	return text ? { text, date: textOf(date), author: textOf(author) } : undefined;
}

/**
 * Reduces a product id to the number in it, where it is one of Shopify's.
 * @example numberOf('gid://shopify/Product/8012345678901') // '8012345678901'
 */
export function numberOf(pid: string): string {
	return /^(?:gid:\/\/shopify\/Product\/|shopify-)(\d+)$/.exec(pid)?.[1] ?? pid;
}

/** Returns the rating of a product, as `ratings` of a provider does: none where nobody has rated. */
export function ratingOf(pid: string, average: unknown, count: unknown): ProviderRating[] {
	const [stars, number] = [starsOf(average), starsOf(count)];
	return stars === undefined || number === undefined ? [] : [{ pid, average: stars, count: number }];
}

export interface Page {
	readonly items: readonly Fields[];
	/** Number of items of a page that is not the last one, by what the service says. @default the page after the last is empty */
	readonly size?: number;
}

/** Pages of one list. Nobody has so many reviews: a service that gives as many does not end. */
const MOST_PAGES = 10_000;

/**
 * Reads the items of all pages, until a page is not full. Each item comes once: while the newest come first, a new one moves
 * the others on.
 * @param read reads a page, from 1.
 */
export async function readPages(
	read: (page: number) => Promise<Page>,
	idOf: (item: Fields) => unknown = (item) => item['id'],
): Promise<Fields[]> {
	const found = new Map<unknown, Fields>();
	for (let page = 1; page <= MOST_PAGES; page++) {
		const { items, size = 0 } = await read(page);
		const before = found.size;
		for (const item of items) if (!found.has(idOf(item))) found.set(idOf(item), item);
		// A service that ignores the number of the page gives the first one again.
		if (items.length < size || found.size === before) break;
	}
	return [...found.values()];
}

/** Reads a secret of the environment. @throws Error if it is not set. */
export function required({ env }: Pick<ProviderOptions, 'env'>, name: string, what: string): string {
	const value = env(name)?.trim();
	if (value) return value;
	throw new Error(`${name} is not set in the environment or in .env: ${what}`);
}

/**
 * Reads the address of a site that an option gives, with or without a slash at its end.
 * @throws ProductReviewsConfigurationError if it is none.
 */
export function siteOf(given: string, option: string): URL {
	const url = URL.parse(given);
	if (url && /^https?:$/.test(url.protocol)) return url;
	throw new ProductReviewsConfigurationError(
		'PR_INVALID_OPTIONS',
		`The option "${option}" is ${JSON.stringify(given)}, which is no address.`,
		'Write it in full, such as "https://shop.example".',
	);
}
