import { resolve } from 'node:path';
import { describeFailure } from '../failures/describe-failure.js';
import { lockOutput } from './lock-output.js';
import type { BuildContext } from './run-context.js';

/** How long a build waits for a publish, in milliseconds. One takes a second; no build fails because of another. */
const PATIENCE = 60_000;

/** Keeps publishes out of the output folder while a build writes it. @returns a function that lets them in again */
export async function lockForBuild({
	options,
	places,
	storeFile,
	logger,
}: Pick<BuildContext, 'options' | 'places' | 'storeFile' | 'logger'>): Promise<() => void> {
	if (!options.publish) return () => {};
	const { root, outDir } = places();
	try {
		const unlock = await lockOutput({
			storeFile,
			outDir: resolve(root, outDir),
			patience: PATIENCE,
			onWait: () => logger.info('Waiting for another build or publish to finish with the output folder.'),
		});
		if (!unlock) {
			logger.warn(
				'Another build or publish has held the output folder for a minute. The build goes on; run it again if pages are missing.',
			);
		}
		return unlock ?? (() => {});
	} catch (error) {
		logger.warn(
			`The output folder cannot be locked: ${describeFailure(error)} Do not run "astro-product-reviews publish" during this build.`,
		);
		return () => {};
	}
}
