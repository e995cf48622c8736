/** Payloads with every field of the service's document, under its own names. */

export function starRatingItemOf(pid: string) {
	return { pid, avgrtng: 4.5, prtng: 12, html: '<i></i>', isReqSyncWoo: false, queCount: 3 };
}

export function reviewOf(pid: string) {
	return {
		...texts('_id wsid un ct st cn i pn pu piu rttl rtxt shp pgid udt cst1 cst2 cst3 rvwrimg extsrc'),
		pid,
		rtng: 5,
		rvwst: 1,
		arrimg: ['https://cdn.example/1.jpg'],
		arrvdo: ['https://cdn.example/1.mp4'],
		irplyprvt: false,
		itstmnl: true,
		ivrfd: true,
		ipin: true,
		cntupvt: 7,
		cntdwnvt: 2,
		ircmnd: true,
		arrcustque: ['How does it fit?'],
		ipblshfb: false,
		arrtag: ['size'],
		cdt: '2026-03-01T10:00:00.000Z',
		createdAt: '2026-03-02T10:00:00.000Z',
		isdmy: false,
		aitopics: [{ key: 'fit', sentiment: 'positive' }],
		icntv: false,
	};
}

export function countSummaryOf(pid: string) {
	return {
		pid,
		wsid: 'W-1',
		avgrtng: 4.5,
		prtng: 12,
		str1: 1,
		str2: 0,
		str3: 1,
		str4: 2,
		str5: 8,
		rcmnd: 9,
		aitopics: [
			{
				_id: 't-1',
				wsid: 'W-1',
				pid,
				key: 'fit',
				translations: { pt: 'caimento', en: 'fit' },
				total_count: 6,
				positive_count: 4,
				negative_count: 1,
				neutral_count: 1,
			},
		],
		topicsmry: {
			en: [{ topic: 'fit', text: 'Fits well.' }],
			pt: [{ topic: 'fit', text: 'Veste bem.' }],
		},
		isReqSyncWoo: false,
	};
}

export function mediaItemOf(pid: string) {
	return {
		...texts('_id wsid un mde ct st cn i ti pn pu piu fa rtxt orgnlrtxt cst1 cst2 cst3 shp csvid pgid'),
		...texts('rvwrimg extsrc createdAt udt'),
		pid,
		rtng: 4,
		cnid: ['c-1'],
		rvwst: 1,
		arrimg: ['https://cdn.example/2.jpg'],
		arrvdo: [],
		arrvdoazr: ['https://cdn.example/2.mp4'],
		arrgrppid: [pid],
		irplyprvt: false,
		itstmnl: false,
		ipin: false,
		cntupvt: 0,
		cntdwnvt: 0,
		ircmnd: true,
		istsupdeml: false,
		arrcustque: [],
		ipblshfb: false,
		arrtag: [],
		cdt: 1_772_359_200_000,
		isdmy: false,
		__v: 0,
		ivrfd: true,
		aitopics: [{ key: 'fit', sentiment: 'neutral' }],
	};
}

export function questionOf(pid: string) {
	return {
		...texts('_id wsid que ans cstnm src cdt udt'),
		ia: true,
		arrpid: [{ pid, pn: 'Boots' }],
		quedt: '2026-01-05',
		ansdt: '2026-01-06',
		icntv: false,
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

/** A field of text for each name; the text says which field it is. */
function texts(names: string): Record<string, string> {
	return Object.fromEntries(names.split(' ').map((name) => [name, `text of ${name}`]));
}
