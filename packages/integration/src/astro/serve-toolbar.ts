import type { HookParameters } from 'astro';
import { z } from 'astro/zod';
import type { MissingValue } from '../options/connection.js';
import type { DevRun } from '../session/start-dev.js';
import { describePage } from '../toolbar/describe-page.js';
import {
	EVENTS,
	type PageAnswer,
	type PageQuestion,
	type RefetchAnswer,
	type RefetchRequest,
} from '../toolbar/messages.js';

/** What the toolbar app asks about. */
export interface ToolbarContext {
	readonly run: Pick<DevRun, 'pages' | 'answers'>;
	/** Values that are not set in the configuration. */
	readonly missing: readonly MissingValue[];
}

/** Answers the toolbar app of open pages. */
export function serveToolbar(
	toolbar: HookParameters<'astro:server:setup'>['toolbar'],
	{ run: { pages, answers }, missing }: ToolbarContext,
): void {
	toolbar.on(EVENTS.ask, (message: unknown) => {
		const { success, data: question } = questionSchema.safeParse(message);
		if (!success) return;
		const { id, path, markup }: PageQuestion = question;
		const page = describePage({
			page: pages.get(path),
			answerOf: answers.get,
			markup,
			missing,
			now: Date.now(),
		});
		toolbar.send(EVENTS.answer, { id, page } satisfies PageAnswer);
	});
	toolbar.on(EVENTS.refetch, (message: unknown) => {
		const { success, data: request } = refetchSchema.safeParse(message);
		if (!success) return;
		const { id, pids }: RefetchRequest = request;
		answers.renew(pids);
		toolbar.send(EVENTS.refetched, { id } satisfies RefetchAnswer);
	});
}

const questionSchema = z.object({
	id: z.string(),
	path: z.string(),
	markup: z.object({
		scripts: z.array(z.string()),
		microdata: z.array(z.string()),
		isNoindex: z.boolean(),
	}),
});

const refetchSchema = z.object({ id: z.string(), pids: z.array(z.string()) });
