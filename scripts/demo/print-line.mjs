/** The integration's line about products in the output of a build. */
const PRODUCTS = /^\| .*\[astro-product-reviews\] (.* products? in .*)/;

/** The receiver calls every run a rebuild. What was published says more. */
const RUNS = /^Rebuild for .* (started|finished in .*)\.$/;

/**
 * Prints the receiver's log without its own lines about runs that succeed, and one line of each build's output. If a build
 * fails, the receiver logs the end of its output.
 *
 * @param {string} line
 */
export function printLine(line) {
	if (PRODUCTS.test(line)) console.log(`  ${line.replace(PRODUCTS, '$1')}`);
	else if (!line.startsWith('| ') && !RUNS.test(line)) console.log(line);
}
