/** Formats a number: "12,000". */
export function amount(value: number): string {
	return value.toLocaleString('en');
}

/** Formats a count with its noun: "1 product", "2,000 products". */
export function count(value: number, noun: string): string {
	return `${amount(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** Compares texts for `sort()` by their UTF-16 code units, in the same way on every machine. */
export function compareTexts(one: string, other: string): number {
	return one < other ? -1 : Number(one > other);
}

export function capitalize(clause: string): string {
	return clause.charAt(0).toUpperCase() + clause.slice(1);
}

/** Formats a number of bytes: "512 B", "13.2 KB", "31.0 MB". */
export function size(bytes: number): string {
	if (bytes < 1e3) return `${bytes} B`;
	// What would be rounded to 1000.0 KB is 1.0 MB.
	return bytes < 999_950 ? `${(bytes / 1e3).toFixed(1)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Formats an age, from milliseconds: "42 s", "5 min", "3 h", "12 d"; "future" if it is negative. */
export function age(milliseconds: number): string {
	if (milliseconds < 0) return 'future';
	if (milliseconds < MINUTE) return `${Math.floor(milliseconds / SECOND)} s`;
	if (milliseconds < HOUR) return `${Math.floor(milliseconds / MINUTE)} min`;
	// Up to two days, hours still tell which evening it was.
	if (milliseconds < 2 * DAY) return `${Math.floor(milliseconds / HOUR)} h`;
	return `${amount(Math.floor(milliseconds / DAY))} d`;
}

/** Formats the time since something happened, from milliseconds: "3 h ago". */
export function ago(milliseconds: number): string {
	return milliseconds < 0 ? 'in the future' : `${age(milliseconds)} ago`;
}

/** Formats a time in ISO 8601, from milliseconds since 1970. A number that is not a valid time is returned as it is. */
export function isoTime(milliseconds: number): string {
	const date = new Date(milliseconds);
	return Number.isNaN(date.getTime()) ? String(milliseconds) : date.toISOString();
}

const MAX_NAMED = 100;
/** In UTF-16 code units. */
const MAX_LENGTH = 60;

/** Names product IDs in a log line or a message: printable and short. The first `most` are named. */
export function nameProducts(pids: readonly string[], most = MAX_NAMED): string {
	const named = pids.slice(0, most).map(nameProduct).join(', ');
	const more = pids.length - most;
	return more > 0 ? `${named} and ${amount(more)} more` : named;
}

/** Names a product ID, or another text of somebody else's, in quotes: printable and short. */
export function nameProduct(pid: string): string {
	return `"${plainLine(pid, MAX_LENGTH)}"`;
}

/**
 * Says why a file could not be used. The file system's messages contain whole paths, which do not belong in a log; its codes
 * do not.
 */
export function reasonOf(error: unknown): string {
	const { code, syscall, message } = error as NodeJS.ErrnoException;
	return syscall === undefined ? message : `${syscall} failed with ${code}`;
}

/** In UTF-16 code units: a single line is not worth a system call. */
const CHUNK = 65_536;

/** Returns the same text in fewer, larger pieces. The text is never held as a whole. */
export function* inChunks(texts: Iterable<string>): Iterable<string> {
	let chunk = '';
	for (const text of texts) {
		chunk += text;
		if (chunk.length < CHUNK) continue;
		yield chunk;
		chunk = '';
	}
	if (chunk !== '') yield chunk;
}

/** Names of options that hold secrets. */
const SECRET = /pass|secret|token|key|auth|credential|signature|headers|connection/i;

export function isSecretName(name: string): boolean {
	return SECRET.test(name);
}

/** Returns the options of a driver without those that may contain a secret, and the names of the omitted ones. */
export function withoutSecrets<Value>(config: Readonly<Record<string, Value>>): {
	readonly config: Readonly<Record<string, Value>>;
	readonly omitted: readonly string[];
} {
	const omitted = Object.keys(config).filter((name) => mayBeSecret(name, config[name]));
	const kept = Object.entries(config).filter(([name]) => !omitted.includes(name));
	return { config: Object.fromEntries(kept), omitted };
}

function mayBeSecret(name: string, value: unknown): boolean {
	if (isSecretName(name)) return true;
	if (typeof value === 'object' && value !== null) {
		return Object.entries(value).some(([inner, part]) => mayBeSecret(inner, part));
	}
	// Addresses contain passwords before an "@", which may contain a slash, and signatures after a "?".
	return typeof value === 'string' && /:\/\/.*[@?]/.test(value);
}

/** Called when a text is cut, loses characters that nobody sees, or has nothing readable left. */
export type DropText = (part: 'text-cut' | 'text-unreadable' | 'unseen-characters-removed') => void;

/**
 * Makes untrusted text printable. Control characters, noncharacters and lone surrogates are removed, and so are characters that
 * nobody sees, unless they change how others look; line breaks of any kind become `\n`; surrounding white space is trimmed; a
 * text longer than `most` UTF-16 code units is cut between characters.
 * @param drop called when the text loses more than white space and control characters.
 * @returns `undefined` if nothing in the text is visible.
 */
export function cleanText(text: string, most: number, drop: DropText = () => {}): string | undefined {
	if (text.length <= most && SIMPLE_TEXT.test(text)) return text;
	return shorten(text, most, printable, drop);
}

/** Cleans a text as {@link cleanText} does, on one line: every run of white space becomes one space. */
export function cleanLine(text: string, most: number, drop: DropText = () => {}): string | undefined {
	if (text.length <= most && SIMPLE_LINE.test(text)) return text;
	return shorten(text, most, (given) => printable(given).replace(/\s+/g, ' '), drop);
}

/**
 * Makes untrusted text fit for one line of a log or a terminal. Nothing in the result moves the cursor, breaks the line or
 * reverses its direction.
 * @param most UTF-16 code units; a longer text is cut.
 */
export function plainLine(text: string, most: number): string {
	return cleanLine(text.replace(LINE_BREAKS, ' ').replace(HIDDEN, ''), most) ?? '';
}

/**
 * Writes JSON that can be printed on a terminal. JSON itself escapes only control characters below U+0020; this also escapes
 * those above, and everything that would reverse or hide text. It parses to the same value.
 * @param indent tab for people. @default one line
 */
export function printableJson(value: unknown, indent?: '\t'): string {
	return JSON.stringify(value, undefined, indent)
		.replace(UNPRINTABLE, escapeUnits)
		.replace(HIDDEN, escapeUnits);
}

/** Says whether anything of a text is visible: more than white space, format characters and letters that are not drawn. */
export function isVisible(text: string): boolean {
	return VISIBLE.test(text);
}

function printable(text: string): string {
	return text.toWellFormed().replace(LINE_BREAKS, '\n').replace(UNPRINTABLE, '').trim();
}

function shorten(
	given: string,
	most: number,
	print: (text: string) => string,
	drop: DropText,
): string | undefined {
	const seen = withoutUnseen(given);
	const text = print(seen);
	if (!isVisible(text)) {
		if (given.trim() !== '') drop('text-unreadable');
		return undefined;
	}
	if (seen !== given) drop('unseen-characters-removed');
	if (text.length <= most) return text;
	drop('text-cut');
	// A cut may take the letters for which something unseen was kept.
	return `${print(withoutUnseen(cut(text, most - 1)))}…`;
}

// Most texts need no change: letters and signs of many languages, with single spaces. Testing for that is several times
// faster than finding nothing to replace. Format characters, surrogates and characters that are not drawn are excluded.
const SIMPLE =
	'!-~\\u00a1-\\u00ac\\u00ae-\\u034e\\u0350-\\u05ff\\u2010-\\u2027\\u3041-\\u3163\\u3165-\\ud7ff';

const SIMPLE_LINE = new RegExp(`^[${SIMPLE}]+(?: [${SIMPLE}]+)*$`);

const SIMPLE_TEXT = new RegExp(`^[${SIMPLE}](?:[${SIMPLE} \\n]*[${SIMPLE}])?$`);

const LINE_BREAKS = /\r\n?|[\v\f\u0085\u2028\u2029]/g;

// HTML forbids these in a document: control characters other than white space, and noncharacters.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Noncharacter_Code_Point}/gu;

/** Separators of lines, direction marks and zero-width spaces: they would break or reverse the rest of a line, or hide in it. */
const HIDDEN = /[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/**
 * Removes characters of no width, bidi controls, tags and the like: people cannot see them, and programs that read
 * for people can, so they carry hidden instructions. They stay where they change how others look.
 * @example withoutUnseen('Go\u200bod') // 'Good'
 */
function withoutUnseen(text: string): string {
	if (!UNSEEN.test(text)) return text;
	const isRightToLeft = RIGHT_TO_LEFT.test(text);
	return text.replace(UNSEEN_OR_KEPT, (found, kept?: string) => {
		return kept ?? (isRightToLeft && BIDI_CONTROL.test(found) ? found : '');
	});
}

const UNSEEN = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u;

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Not the overrides: they show a text in another order than it is read in. */
const BIDI_CONTROL = /[\u061c\u200e\u200f\u202a-\u202c\u2066-\u2069]/;

/** Scripts in which a joiner decides about the form of letters. */
const JOINING =
	'Arabic Syriac Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar'
		.split(' ')
		.map((script) => `\\p{Script=${script}}`)
		.join('');

const KEPT = [
	// The flags of England, Scotland and Wales, which are spelled in tags.
	'\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}',
	// One emoji of several.
	'(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\ufe0f?)\\u200d(?=\\p{Extended_Pictographic})',
	'(?<=\\p{Emoji})[\\ufe0e\\ufe0f]',
	`(?<=[${JOINING}])(?<!\\p{Default_Ignorable_Code_Point})[\\u200c\\u200d](?![\\u200c\\u200d])`,
	'(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
	'(?<=[\\u1820-\\u18aa])[\\u180b-\\u180f]',
];

const UNSEEN_OR_KEPT = new RegExp(`(${KEPT.join('|')})|${UNSEEN.source}`, 'gu');

// U+2800 is the braille pattern without a dot.
const VISIBLE = /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

function cut(text: string, most: number): string {
	const last = text.charCodeAt(most - 1);
	return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
}

function escapeUnits(text: string): string {
	const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
	return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/**
 * Finds the known word that somebody probably meant.
 * @returns `undefined` if no word is close: short words may differ in upper case only, longer ones by one or two letters.
 * @example nearest('limt', ['limit', 'sort']) // 'limit'
 */
export function nearest(given: string, known: readonly string[]): string | undefined {
	const most = given.length < 4 ? 0 : given.length < 6 ? 1 : 2;
	const wanted = given.toLowerCase();
	const similar = known.filter((word) => Math.abs(word.length - given.length) <= most);
	const distances = similar.map((word) => ({ word, distance: distanceOf(wanted, word.toLowerCase()) }));
	const [best] = distances.toSorted((a, b) => a.distance - b.distance);
	return best && best.distance <= most ? best.word : undefined;
}

/** Counts the letters to add, remove or replace, after Levenshtein. */
function distanceOf(one: string, other: string): number {
	let row = Array.from({ length: other.length + 1 }, (_, index) => index);
	for (const [index, letter] of [...one].entries()) {
		const next = [index + 1];
		for (let column = 0; column < other.length; column++) {
			const replaced = (row[column] ?? 0) + (letter === other[column] ? 0 : 1);
			next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
		}
		row = next;
	}
	return row[other.length] ?? 0;
}
