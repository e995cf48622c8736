/** The integration's line about products in the output of a build. */
const PRODUCTS = /^\| .*\[astro-product-reviews\] (.* products? in .*)/;

/**
 * Prints the receiver's log, and one line of each build's output. If a build fails, the receiver logs the end of its
 * output.
 *
 * @param {string} line
 */
export function printLine(line) {
	if (!line.startsWith('| ')) console.log(line);
	else if (PRODUCTS.test(line)) console.log(`  ${line.replace(PRODUCTS, '$1')}`);
}
