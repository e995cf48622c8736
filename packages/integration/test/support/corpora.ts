import hostile from '../corpora/hostile-html.json' with { type: 'json' };
import naughty from '../corpora/naughty-strings.json' with { type: 'json' };

export const STRINGS: readonly string[] = [...new Set([...hostile, ...naughty])];

/** `count` of some things, evenly spread over all of them. */
export function spread<Thing>(things: readonly Thing[], count: number): Thing[] {
	const step = things.length / count;
	return Array.from({ length: Math.min(count, things.length) }, (_, index) => {
		return things[step < 1 ? index : Math.floor(index * step)] as Thing;
	});
}

/** So many of some things, evenly spread; with `TEST_FULL=1` in the environment `all` of them, which takes minutes. */
export function usually<Thing>(things: readonly Thing[], count: number, all = things.length): Thing[] {
	return spread(things, process.env['TEST_FULL'] === '1' ? all : count);
}
