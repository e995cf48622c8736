import { jsonForScript } from './json-script.js';
import { SCHEMA_SCRIPT_ID } from './schema-script-id.js';
import type { ProductNode } from './to-product-node.js';

/**
 * The html of `<ReviewSchema>`: one JSON-LD script; empty where there is nothing to state.
 * @param reviews JSON of the node's reviews as it stands in a script; empty where there are none.
 */
export function renderReviewSchema(node: ProductNode | undefined, reviews = ''): string {
	if (!node) return '';
	const json = jsonForScript(node);
	const whole = reviews === '' ? json : `${json.slice(0, -1)},"review":${reviews}}`;
	return `<script type="application/ld+json" id="${SCHEMA_SCRIPT_ID}">${whole}</script>`;
}
