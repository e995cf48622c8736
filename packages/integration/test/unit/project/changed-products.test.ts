import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test } from 'vitest';
import { readBuildChanges } from '../../../src/project/changed-products.js';

const told: string[] = [];
const read = (environment: Record<string, string>) =>
	readBuildChanges({ warn: (line) => told.push(line) }, environment);

const pids = (...list: string[]) => ({ pids: list, all: false });
const all = (...list: string[]) => ({ pids: list, all: true });

test.each<[string, unknown]>([
	['', pids()],
	[' ', pids()],
	['p-1', pids('p-1')],
	['p-1, p-2\np-3  p-1', pids('p-1', 'p-2', 'p-3')],
	['all', all()],
	// In a list, it is the id of a product.
	['p-1,all', pids('p-1', 'all')],
	['["all"]', pids('all')],
	['{"pids":["all"]}', pids('all')],
	['"all"', all()],
	['["p 1","p,2",3]', pids('p 1', 'p,2', '3')],
	['"p-1"', pids('p-1')],
	['{"pids":["a","b"]}', pids('a', 'b')],
	['{"pid":"a","all":true}', all('a')],
	['{"type":"review.created","data":{"wsid":"W","pid":["a","b"]}}', pids('a', 'b')],
	['{"data":{"arrpid":[{"pid":"a","pn":"x"},{"pid":7}]}}', pids('a', '7')],
	// JSON carried another number than was written: it may be any product.
	['["a",12345678901234567890]', all('a')],
	// Which products these are is not known.
	['["a",null,{},[],""]', all('a')],
	['{"pids":["a",""]}', all('a')],
	['{"pids":["a"],"pid":true}', all('a')],
	['{"data":{"arrpid":[{"pid":"a"},{"pn":"x"}]}}', all('a')],
	['[null,{},[]]', pids()],
	['{"pids":', pids()],
])('REVIEWS_CHANGED is %j', (value, expected) => {
	expect(read({ REVIEWS_CHANGED: value })).toEqual(expected);
});

test.each<[string, unknown]>([
	[encodeURIComponent('{"pids":["ä 1"]}'), pids('ä 1')],
	['%7B%22pids%22%3A%5B%22a+1%22%5D%7D', pids('a 1')],
	['{"pids":["a"]}', pids('a')],
	['trigger me', pids()],
	['%7B%22title%22%3A%22a%20new%20article%22%7D', pids()],
	['%', pids()],
	['', pids()],
])('the body of a Netlify build hook is %j', (body, expected) => {
	expect(read({ INCOMING_HOOK_BODY: body })).toEqual(expected);
});

const EVENT = JSON.stringify({ action: 'reviews', client_payload: { pids: ['a', 'b'] } });
test.each<[string, string | undefined, unknown]>([
	['repository_dispatch', EVENT, pids('a', 'b')],
	['repository_dispatch', '{"client_payload":{"all":true}}', all()],
	['repository_dispatch', 'broken', pids()],
	['repository_dispatch', undefined, pids()],
	['push', EVENT, pids()],
])('the event of GitHub is a %s: %s', (name, event, expected) => {
	const file = join(createFolder('event'), 'event.json');
	if (event !== undefined) writeFileSync(file, event);
	expect(read({ GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: file })).toEqual(expected);
});

test.each<[string, unknown]>([
	['{"pids":["a"],"all":false,"id":"1","ref":"main","variables":{}}', pids('a')],
	['{"pids":[],"all":true}', all()],
	['{"object_kind":"push"}', pids()],
	['broken', pids()],
])('the body that triggered a pipeline of GitLab is %s', (body, expected) => {
	const file = join(createFolder('payload'), 'TRIGGER_PAYLOAD');
	writeFileSync(file, body);
	expect(read({ TRIGGER_PAYLOAD: file })).toEqual(expected);
});

test.each([
	[{ VERCEL: '1' }, true],
	[{ CF_PAGES: '1' }, true],
	[{ WORKERS_CI: '1' }, true],
	[{ DEPLOY_HOOK_URL: 'https://host.example/hook' }, true],
	[{ DEPLOY_HOOK_URL: '' }, undefined],
	[{ VERCEL: '1', REVIEWS_CHANGED: 'p-1' }, undefined],
	[{ NETLIFY: 'true', DEPLOY_HOOK_URL: 'https://api.netlify.com/build_hooks/1' }, undefined],
	[{}, undefined],
])('whether a deploy hook may have started a build without a word: %j', (environment, isUntold) => {
	expect(read(environment).isUntold).toBe(isUntold);
});

test.each([
	['objects', '{"data":', '"a"', '}'],
	['lists', '[', '"a"', ']'],
	['products', '{"pid":', '"a"', '}'],
	['both', '{"data":[', '"a"', ']}'],
])('a body that is nested as deep as it can be is read without harm: %s', (_what, open, inner, close) => {
	const body = (depth: number) => open.repeat(depth) + inner + close.repeat(depth);
	expect(read({ INCOMING_HOOK_BODY: body(1) })).toEqual(pids('a'));
	expect(read({ REVIEWS_CHANGED: `["b",${body(60_000)}]` })).toEqual(all('b'));
	expect(read({ INCOMING_HOOK_BODY: body(60_000) })).toEqual(pids());
});

test.each([
	['{"pids":["a",null,"b",{}]}', [expect.stringContaining('names 2 product IDs that cannot be used')]],
	['{"pids":["a"]}', []],
	['{"data":[{"title":"an article"}]}', []],
])('ids that cannot be used are told, but not those of a body about something else: %s', (body, expected) => {
	told.length = 0;
	read({ INCOMING_HOOK_BODY: body });
	expect(told).toEqual(expected);
});
