// Makes whoever waits for 15 seconds or longer in the main thread wait a hundredth of that. Node loads it before a program,
// with `--import`.
import { isMainThread } from 'node:worker_threads';

const { setTimeout: start } = globalThis;
const hasten = (milliseconds) => (isMainThread && milliseconds >= 15_000 ? milliseconds / 100 : milliseconds);

globalThis.setTimeout = Object.assign(
	(run, milliseconds, ...given) => start(run, hasten(milliseconds), ...given),
	start,
);
