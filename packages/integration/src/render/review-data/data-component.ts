import type { ReviewData } from '../../parse/review-data.js';
import type { Component } from '../component.js';
import { formDataAuthors } from '../form-authors.js';
import type { Fragment } from '../fragment.js';
import type { RenderOptions } from '../render-options.js';
import type { RootAttributes } from './part-context.js';

/** A component that is written from full review data. */
export function dataComponent(
	write: (data: ReviewData | undefined, props: RootAttributes, options: RenderOptions) => Fragment,
): Component<'review-data'> {
	return {
		from: 'review-data',
		write: (data, { props, language = 'en' }, { author, ...site }) =>
			write(data && formDataAuthors(data, author), props, { ...site, language }),
	};
}
