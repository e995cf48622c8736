import type { Operation } from 'product-reviews-client/contract';
import { readInput } from '../editing/errors.js';
import type { Random } from '../seed/random.js';
import { type FaultRule, faultRule } from './fault-rule.js';

/** An active rule and its effect so far. */
export interface ActiveFault {
	readonly rule: FaultRule;
	/** How many requests matched it. */
	readonly matched: number;
	/** How many of those it was applied to. */
	readonly applied: number;
}

/** What to do to one request. */
interface FaultPlan {
	/** Delay in milliseconds: the sum of all `latency` rules that apply. */
	readonly delay: number;
	/** The first other rule that applies. */
	readonly fault?: FaultRule;
}

/** The fault rules of a sandbox. */
export interface FaultRules {
	/**
	 * Adds a rule. Delays of several rules add up; of all other kinds, the rule added first wins.
	 *
	 * @throws {InvalidInputError} If the rule is invalid.
	 * @example
	 * sandbox.faults.add({ operation: 'crawlerReviews', pid: 'p-1', kind: 'status', status: 503, times: 2 });
	 */
	add(rule: FaultRule): void;
	/** Removes all rules. Responses already under way are not affected. */
	clear(): void;
	list(): readonly ActiveFault[];
}

/** The part of the rules that only the server uses. */
export interface FaultPlanner extends FaultRules {
	/** @param inFlight number of running requests, including this one. */
	plan(operation: Operation, pids: readonly string[], inFlight: number): FaultPlan;
}

/** Creates the rules of one sandbox. */
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
				// A request can only show one fault, so further rules do not count it.
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
