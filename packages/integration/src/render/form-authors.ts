import type { ProductReviews } from '../parse/record.js';
import type { ReviewData } from '../parse/review-data.js';
import { type AuthorForm, formAuthor } from './author-form.js';

interface Authored {
	readonly author: string | undefined;
}

/** The reviews of a product, with author names in this form. */
export function formAuthors(product: ProductReviews, form: AuthorForm = 'full'): ProductReviews {
	if (form === 'full') return product;
	const { reviews, schema } = product;
	return {
		...product,
		reviews: reviews.map(withForm(form)),
		schema: schema && { ...schema, reviews: schema.reviews.map(withForm(form)) },
	};
}

/** The review data of a product, with author names in this form. */
export function formDataAuthors(data: ReviewData, form: AuthorForm = 'full'): ReviewData {
	if (form === 'full') return data;
	return {
		...data,
		reviews: data.reviews.map(withForm(form)),
		media: data.media.map(withForm(form)),
		questions: data.questions.map(withForm(form)),
	};
}

function withForm(form: AuthorForm): <Item extends Authored>(item: Item) => Item {
	return (item) => ({ ...item, author: formAuthor(item.author, form) });
}
