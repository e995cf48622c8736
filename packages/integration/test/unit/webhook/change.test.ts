import { expect, test } from 'vitest';
import { reviewTag } from '../../../src/runtime/review-tag.js';
import { cacheTags } from '../../../src/webhook/change.js';

const tagsOf = (...pids: string[]) => cacheTags({ pids, all: false });

test('each product has its tag, once', () => {
	expect(tagsOf('p-1', 'p-2', 'p-1')).toEqual(['reviews:p-1', 'reviews:p-2']);
});

test('anything may have changed: the tag of all', () => {
	expect(cacheTags({ pids: [], all: true })).toEqual(['reviews']);
});

test('an id that only changes in an address is looked for both ways', () => {
	expect(tagsOf('gid://shop/1')).toEqual(['reviews:gid://shop/1', 'reviews:gid%3A%2F%2Fshop%2F1']);
});

test.each(['a,b', 'a b', 'a\r\nb', 'kött', '商品'])('%j does not fit into a header as it is', (pid) => {
	expect(tagsOf(pid)).toEqual([`reviews:${encodeURIComponent(pid)}`]);
});

test('an id that is no text of letters has the tag that pages have', () => {
	expect(tagsOf('a\ud800')).toEqual([reviewTag('a\ud800')]);
});
