/** Limits: seconds from event to disk, of the largest site to the smallest, megabytes. */
const MOST = { seconds: 1, growth: 1.3, peakMegabytes: 150 };

/** Medians of each site, and whether they are within the limits. */
export function summarizePublished(sites) {
	const measured = sites.map(({ products, events, rebuildSeconds, rendered }) => ({
		products,
		seconds: median(events.map(({ seconds }) => seconds)),
		each: events.map(({ seconds }) => seconds),
		peakMegabytes: Math.max(...events.map(({ peakMegabytes }) => peakMegabytes)),
		rebuildSeconds,
		rendered,
	}));
	const growth = measured.at(-1).seconds / measured[0].seconds;
	const isMet =
		growth <= MOST.growth &&
		measured.every((site) => site.seconds <= MOST.seconds && site.peakMegabytes <= MOST.peakMegabytes);
	return { sites: measured, growth, isMet };
}

export function printPublished({ sites, growth, isMet }) {
	console.log('\nFrom a signed event to the last page on disk, medians');
	for (const { products, seconds, each, peakMegabytes, rebuildSeconds, rendered } of sites) {
		const runs = each.map((one) => one.toFixed(2)).join(' ');
		console.log(
			`  ${products.toLocaleString('en')} products: ${seconds.toFixed(2)} s (${runs}), ${Math.round(peakMegabytes)} MB; an incremental build takes ${rebuildSeconds.toFixed(1)} s for ${rendered} pages`,
		);
	}
	console.log(
		`  ${isMet ? 'met' : 'MISSED'}: at most ${MOST.seconds} s and ${MOST.peakMegabytes} MB each, and ${growth.toFixed(2)} times as long in the largest site (limit: ${MOST.growth})`,
	);
}

function median(values) {
	const sorted = values.toSorted((one, other) => one - other);
	const middle = sorted.length >> 1;
	return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
