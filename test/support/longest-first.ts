import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import times from '../times.json' with { type: 'json' };

const SECONDS: Readonly<Record<string, number>> = times;

/**
 * Runs the longest tests first: started last, they would be waited for alone. Vitest's own record of times is in
 * `node_modules`, which a clean checkout never had; `npm test -- --record-times` writes this one.
 *
 * Files that share processes come last, project by project: Vitest keeps a process only for a next file of the same project.
 */
export class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const { root } = this.ctx.config;
		const seconds = ({ moduleId }: TestSpecification) => SECONDS[relative(root, moduleId)] ?? 0;
		const shared = ({ project }: TestSpecification) => (project.config.isolate ? '' : project.name);
		const sorted = await super.sort(files);
		return sorted.sort(
			(one, other) => shared(one).localeCompare(shared(other)) || seconds(other) - seconds(one),
		);
	}
}
