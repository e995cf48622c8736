import { describe, expect, test } from 'vitest';
import { STRINGS } from '../../support/corpora.js';
import { HTML_FIELDS } from '../../support/unit/fields.js';
import { lookAtPage, pageAround } from '../../support/unit/page.js';
import { record } from '../../support/unit/record.js';
import { writeAll } from '../../support/unit/write.js';

// What looks for harm in the other tests of this folder must find it where it is.

const foreignAround = (written: string) => lookAtPage(pageAround(written)).foreign;

test.each(['hidden', 'visible', 'details'] as const)(
	'%s: what is written for a good record is ours',
	(display) => {
		const written = writeAll(record(), display);
		expect(lookAtPage(pageAround(written))).toEqual({
			foreign: [],
			scripts: [expect.any(String)],
		});
	},
);

describe('harm is found', () => {
	const block = writeAll(record());
	test.each<[string, string, string]>([
		['an element', '<img src="x">', '<img src=x>'],
		['an event handler', '<p class="review-body" onclick="x"></p>', '<p class=review-body onclick=x>'],
		['an address that runs', '<a href="javascript:x"></a>', '<a href=javascript:x>'],
		['an address of the page', '<a href="//evil.example"></a>', '<a href=//evil.example>'],
		['a style', '<div style="color:red"></div>', '<div style=color:red>'],
		['a class that is not ours', '<div class="review-item modal"></div>', '<div class=review-item modal>'],
		['an id', '<p id="login"></p>', '<p id=login>'],
		['a comment', '<!-- x -->', '<!-- x -->'],
		['a script', '<script>x</script>', '<script>'],
		['a script of a module', '<script type="module">x</script>', '<script type=module>'],
		['an element left open', '<div>', 'body/main\nmain/p id=before\nmain/div'],
		['an element closed that is not its own', `${block}</main>`, 'body/p id=after'],
		['a second sentinel', '<p id="after"></p>', '<p id=after>'],
		['text of no element', 'x', 'x'],
		['text that a browser has to repair', '<li>a & b &lt c</li>', 'missing-semicolon'],
		['a control character', '<li>a\u0001b</li>', 'control-character'],
		['what only a browser without scripts sees', '<noscript><p onclick="x"></p></noscript>', '<p onclick=x>'],
	])('%s', (_what, harm, found) => {
		expect(foreignAround(harm).join('\n')).toContain(found);
	});

	test.each(HTML_FIELDS.filter(([name]) => /^(?:data-id|body)$/.test(name)))(
		'in the html of the service, if it were written as it came: hostile text as %s',
		(_name, write) => {
			const harmless = foreignAround(write('x')).length;
			const harmful = STRINGS.filter((text) => foreignAround(write(text)).length > harmless);
			expect(harmful.length).toBeGreaterThan(STRINGS.length / 2);
		},
		60_000,
	);
});
