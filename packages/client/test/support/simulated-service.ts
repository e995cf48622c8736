import { createAdaptiveConcurrency } from '../../src/pacing/create-adaptive-concurrency.js';

/** What a simulated service works with. */
interface World {
	/** Milliseconds since 1970. */
	now(): number;
	/** Runs something later. */
	after(milliseconds: number, run: () => void): void;
	/** A number from 0 up to but not including 1; the same ones for the same seed. */
	random(): number;
}

/** Answers a request, now or later, with a status. @param inFlight requests that run, this one included. */
type Simulated = (inFlight: number, answer: (status: number) => void) => void;

/** Works on so many requests at once, each for `ms`, give or take a tenth; the others queue up. */
export function queueing(capacity: number, ms: number) {
	return ({ after, random }: World): Simulated => {
		const waiting: ((status: number) => void)[] = [];
		let busy = 0;
		const work = () => {
			const answer = busy < capacity ? waiting.shift() : undefined;
			if (!answer) return;
			busy += 1;
			after(ms * (0.9 + 0.2 * random()), () => {
				busy -= 1;
				answer(200);
				work();
			});
		};
		return (_inFlight, answer) => {
			waiting.push(answer);
			work();
		};
	};
}

/** Answers after `ms`, and refuses with 429 what comes while more than `most(now)` are in flight. */
export function refusing(most: (now: number) => number, ms: number) {
	return ({ now, after }: World): Simulated =>
		(inFlight, answer) =>
			inFlight > most(now()) ? after(5, () => answer(429)) : after(ms, () => answer(200));
}

/** Answers after `ms(index, random)`, however many are in flight. */
export function taking(ms: (index: number, random: number) => number) {
	return ({ after, random }: World): Simulated => {
		let index = 0;
		return (_inFlight, answer) => after(ms(index++, random()), () => answer(200));
	};
}

/**
 * Sends `total` requests to a simulated service, refused ones again as the client does: after a pause of up to a second,
 * then two, then four, in which they keep their slot.
 *
 * @param isAdaptive false sends `most` at once whatever happens.
 */
export function simulate(options: {
	readonly most: number;
	readonly total: number;
	readonly service: (world: World) => Simulated;
	readonly isAdaptive?: boolean;
	readonly seed?: number;
}) {
	const { most, total, isAdaptive = true } = options;
	const events: { readonly at: number; readonly run: () => void }[] = [];
	let time = 1_000_000;
	let seed = options.seed ?? 1;
	const world: World = {
		now: () => Math.floor(time),
		after: (milliseconds, run) => events.push({ at: time + milliseconds, run }),
		random() {
			seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
			return seed / 2 ** 32;
		},
	};
	const ask = options.service(world);
	const { observe, current } = createAdaptiveConcurrency({ most, now: world.now });
	const allowed = () => (isAdaptive ? current() : most);
	const history: number[] = [];
	let [started, active, inFlight, refused] = [0, 0, 0, 0];
	const send = (retry: number) => {
		const begin = world.now();
		inFlight += 1;
		ask(inFlight, (status) => {
			inFlight -= 1;
			observe({ status, durationMs: world.now() - begin, timedOut: false });
			if (status === 429) {
				refused += 1;
				world.after(world.random() * Math.min(20_000, 1_000 * 2 ** retry), () => send(retry + 1));
				return;
			}
			active -= 1;
			history.push(allowed());
			start();
		});
	};
	const start = () => {
		for (; active < allowed() && started < total; started += 1) {
			active += 1;
			send(0);
		}
	};
	start();
	for (;;) {
		const next = events.toSorted((a, b) => a.at - b.at)[0];
		if (!next) break;
		events.splice(events.indexOf(next), 1);
		time = next.at;
		next.run();
	}
	return {
		/** How long all took, in milliseconds. */
		ms: time - 1_000_000,
		/** How many 429s there were. */
		refused,
		/** How many were allowed at once as each answer came. */
		history,
	};
}
