import type { Operation } from 'product-reviews-client/contract';
import { readInput } from '../editing/errors.js';
import type { Random } from '../seed/random.js';
import { type FaultRule, faultRule } from './fault-rule.js';

/** A rule in force, and what it has done so far. */
export interface ActiveFault {
	readonly rule: FaultRule;
	/** How many requests it matched. */
	readonly matched: number;
	/** How many of these it made fail. */
	readonly applied: number;
}

/** What shall happen to one request. */
interface FaultPlan {
	/** Milliseconds to wait first: all `latency` rules that apply. */
	readonly delay: number;
	/** The first other rule that applies. */
	readonly fault?: FaultRule;
}

/** Faults on request. */
export interface FaultRules {
	/**
	 * Adds a rule. Delays of several rules add up; of the others, the first one added wins.
	 *
	 * @throws {InvalidInputError} When the rule does not fit.
	 * @example
	 * sandbox.faults.add({ operation: 'crawlerReviews', pid: 'p-1', kind: 'status', status: 503, times: 2 });
	 */
	add(rule: FaultRule): void;
	/** Takes all rules away. Answers on their way stay as they are. */
	clear(): void;
	list(): readonly ActiveFault[];
}

/** What the server uses besides. */
export interface FaultPlanner extends FaultRules {
	/** @param inFlight requests that run now, the one that is planned for included. */
	plan(operation: Operation, pids: readonly string[], inFlight: number): FaultPlan;
}

/** Makes the rules of one sandbox. */
export function createFaultRules(random: Random): FaultPlanner {
	let active: { rule: FaultRule; matched: number; applied: number }[] = [];

	return {
		add(rule) {
			active.push({ rule: readInput(faultRule, rule), matched: 0, applied: 0 });
		},
		clear() {
			active = [];
		},
		list: () => active.map((entry) => ({ ...entry })),
		plan(operation, pids, inFlight) {
			let delay = 0;
			let fault: FaultRule | undefined;
			for (const entry of active) {
				const { rule } = entry;
				// A second fault of one request could not be seen; its rule keeps its turn.
				if (!matches(rule, operation, pids) || (fault && rule.kind !== 'latency')) continue;
				if (inFlight <= (rule.above ?? 0)) continue;
				entry.matched += 1;
				if (entry.matched % (rule.every ?? 1) !== 0) continue;
				if (rule.probability !== undefined && !random.chance(rule.probability)) continue;
				entry.applied += 1;
				if (rule.kind === 'latency') delay += rule.ms ?? 1_000;
				else fault = rule;
			}
			active = active.filter(({ rule, applied }) => applied < (rule.times ?? Number.POSITIVE_INFINITY));
			return fault ? { delay, fault } : { delay };
		},
	};
}

function matches(rule: FaultRule, operation: Operation, pids: readonly string[]): boolean {
	if (rule.operation !== undefined && rule.operation !== operation) return false;
	return rule.pid === undefined || pids.includes(rule.pid);
}
