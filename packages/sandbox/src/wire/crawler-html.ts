import { createHash } from 'node:crypto';
import type { Product, Review } from '../records.js';
import { escapeHtml } from './escape-html.js';
import type { StoreFacts } from './store-facts.js';

/** Class prefix of the wrapper; the documentation says "a prefix plus `_` plus a block id". */
const CLASS_PREFIX = 'rvw';

/** Creates `html` of operation 3: the documented structure on one line, with every customer text escaped. */
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

/** A stable id per product. It has only letters and digits, so that any product id results in a valid class name. */
function blockId(wsid: string, pid: string): string {
	return createHash('sha256').update(`${wsid}\0${pid}`).digest('hex').slice(0, 12);
}
