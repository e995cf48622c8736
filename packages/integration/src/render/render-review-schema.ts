import { jsonForScript } from './json-script.js';
import { SCHEMA_SCRIPT_ID } from './schema-script-id.js';
import type { ProductNode } from './to-product-node.js';

/** The html of `<ReviewSchema>`: one JSON-LD script; empty where there is nothing to state. */
export function renderReviewSchema(node: ProductNode | undefined): string {
	if (!node) return '';
	return `<script type="application/ld+json" id="${SCHEMA_SCRIPT_ID}">${jsonForScript(node)}</script>`;
}
