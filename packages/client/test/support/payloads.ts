/** Payloads with every field of the service's document, under its own names. */

export function starRatingItemOf(pid: string) {
	return { pid, avgrtng: 4.5, prtng: 12, html: '<i></i>', isReqSyncWoo: false, queCount: 3 };
}

export function reviewOf(pid: string) {
	return {
		...texts('_id wsid un ct st cn i pn pu piu rttl rtxt shp pgid udt cst1 cst2 cst3 rvwrimg extsrc'),
		...flags(true, 'itstmnl ivrfd ipin ircmnd'),
		...flags(false, 'irplyprvt ipblshfb isdmy icntv'),
		...{ pid, rtng: 5, rvwst: 1, cntupvt: 7, cntdwnvt: 2 },
		...{ cdt: '2026-03-01T10:00:00.000Z', createdAt: '2026-03-02T10:00:00.000Z' },
		arrimg: ['https://cdn.example/1.jpg'],
		arrvdo: ['https://cdn.example/1.mp4'],
		arrcustque: ['How does it fit?'],
		arrtag: ['size'],
		aitopics: [{ key: 'fit', sentiment: 'positive' }],
	};
}

export function countSummaryOf(pid: string) {
	const counts = { total_count: 6, positive_count: 4, negative_count: 1, neutral_count: 1 };
	const translations = { pt: 'caimento', en: 'fit' };
	return {
		...{ pid, wsid: 'W-1', avgrtng: 4.5, prtng: 12, isReqSyncWoo: false },
		...{ str1: 1, str2: 0, str3: 1, str4: 2, str5: 8, rcmnd: 9 },
		aitopics: [{ _id: 't-1', wsid: 'W-1', pid, key: 'fit', translations, ...counts }],
		topicsmry: {
			en: [{ topic: 'fit', text: 'Fits well.' }],
			pt: [{ topic: 'fit', text: 'Veste bem.' }],
		},
	};
}

export function mediaItemOf(pid: string) {
	return {
		...texts('_id wsid un mde ct st cn i ti pn pu piu fa rtxt orgnlrtxt cst1 cst2 cst3 shp csvid pgid'),
		...texts('rvwrimg extsrc createdAt udt'),
		...flags(true, 'ircmnd ivrfd'),
		...flags(false, 'irplyprvt itstmnl ipin istsupdeml ipblshfb isdmy'),
		...{ pid, rtng: 4, rvwst: 1, cntupvt: 0, cntdwnvt: 0, cdt: 1_772_359_200_000, __v: 0 },
		...{ cnid: ['c-1'], arrimg: ['https://cdn.example/2.jpg'], arrvdo: [], arrcustque: [], arrtag: [] },
		...{ arrvdoazr: ['https://cdn.example/2.mp4'], arrgrppid: [pid] },
		aitopics: [{ key: 'fit', sentiment: 'neutral' }],
	};
}

export function questionOf(pid: string) {
	const dates = { quedt: '2026-01-05', ansdt: '2026-01-06' };
	const text = texts('_id wsid que ans cstnm src cdt udt');
	return {
		...text,
		...flags(true, 'ia'),
		...flags(false, 'icntv'),
		...dates,
		arrpid: [{ pid, pn: 'Boots' }],
	};
}

export function reviewDataPayload(pid: string) {
	return {
		success: true,
		data: [reviewOf(pid)],
		dataCount: countSummaryOf(pid),
		dataMedia: [mediaItemOf(pid)],
		dataQueAns: [questionOf(pid)],
		dataCountQueAns: 4,
	};
}

export function crawlerPayload(pid: string) {
	return {
		status: 200,
		pid,
		dataCount: { prtng: 12, avgrtng: 4.5 },
		html: '<div class="rvw_b1" data-id="b1"></div>',
		jsonld: '<script id="ServiceReviewSchemaJson" type="application/ld+json">{}</script>',
	};
}

/** What the service sends at the path of an operation. */
export function payloadAt(path: string, pids: readonly string[]): unknown {
	if (path === '/api/llmRvwHTML') return crawlerPayload(pids[0] ?? '');
	if (path === '/api/v1/getProductReviewData') return reviewDataPayload(pids[0] ?? '');
	return { success: true, data: pids.map(starRatingItemOf) };
}

/** A field of text for each name; the text says which field it is. */
function texts(names: string): Record<string, string> {
	return Object.fromEntries(names.split(' ').map((name) => [name, `text of ${name}`]));
}

function flags(value: boolean, names: string): Record<string, boolean> {
	return Object.fromEntries(names.split(' ').map((name) => [name, value]));
}
