import { createHash } from 'node:crypto';
import type { Product, Review } from '../records.js';
import { escapeHtml } from './escape-html.js';
import type { StoreFacts } from './store-facts.js';

/** Class prefix of the wrapper; the document says "a prefix plus `_` plus a block id". */
const CLASS_PREFIX = 'rvw';

/** Writes `html` of operation 3: one line, the documented structure, every text of a customer escaped. */
export function crawlerHtml(product: Product, reviews: readonly Review[], facts: StoreFacts): string {
	const block = blockId(facts.wsid, product.pid);
	const className = `${CLASS_PREFIX}_${block}`;
	const style = `.${className}{position:absolute;width:1px;height:1px;overflow:hidden}`;
	const items = reviews.map((review) => reviewItem(review, product, facts)).join('');
	return (
		`<div class="${className}" data-id="${block}" data-block-handle="product-reviews">` +
		`<style>${style}</style><h2>Customer reviews</h2>${items}</div>`
	);
}

function reviewItem(review: Review, product: Product, facts: StoreFacts): string {
	const href = escapeHtml(product.url ?? facts.productUrl(product.pid));
	const link = `<a class="review-product-link" href="${href}">${escapeHtml(product.name)}</a>`;
	return (
		'<div class="review-item">' +
		`<div class="review-product">${link}</div>` +
		`<div class="review-author">${escapeHtml(review.author)}</div>` +
		`<div class="review-rating">Rating: ${review.rating}/5</div>` +
		`<div class="review-title">${escapeHtml(review.title)}</div>` +
		`<div class="review-body">${escapeHtml(review.body)}</div>` +
		`<div class="review-date">${review.publishedAt?.slice(0, 10) ?? ''}</div>` +
		'</div>'
	);
}

/** The same for the same product, and letters and digits only, so that it is a class name whatever the id holds. */
function blockId(wsid: string, pid: string): string {
	return createHash('sha256').update(`${wsid}\0${pid}`).digest('hex').slice(0, 12);
}
