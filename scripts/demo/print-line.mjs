/** What the integration says of the products, in the output of a build. */
const PRODUCTS = /^\| .*\[astro-product-reviews\] (.* products? in .*)/;

/**
 * Prints what the receiver says; of the builds' own output one line is enough. The end of that of a failed build is in
 * what the receiver says.
 *
 * @param {string} line
 */
export function printLine(line) {
	if (!line.startsWith('| ')) console.log(line);
	else if (PRODUCTS.test(line)) console.log(`  ${line.replace(PRODUCTS, '$1')}`);
}
