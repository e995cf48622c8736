import type { WrittenReview } from './kettle-reviews.js';

const SOMEWHERE: WrittenReview['place'] = ['', '', '', ''];

/** Reviews with unusual but realistic input, by product: markup, comparisons, line breaks, one word, other scripts. */
export const ODD_REVIEWS: Readonly<Record<string, readonly WrittenReview[]>> = {
	'p-2': [
		{
			rating: 5,
			author: 'Sam "Skillet" T.',
			title: '<b>Best pan ever</b>',
			body: 'Cast iron > non-stick. Heat up, add oil & wait: if (smoke) { turn_down(); } <3',
			day: '2026-03-03',
			place: SOMEWHERE,
			helpful: 13,
		},
		{
			rating: 4,
			author: 'Ken O’B.',
			title: '5 > 4, but…',
			body: 'Pros:\n- heat\n- weight\n- price\n\nCons:\n- weight\n\n<b>bold</b> claims in the description, all true.',
			day: '2025-11-19',
			place: SOMEWHERE,
			helpful: 5,
		},
	],
	'p-11': [
		{
			rating: 5,
			author: 'هدى م.',
			title: 'دافئ وناعم',
			body: 'بطانية رائعة! استخدمتها في الشتاء (درجة الحرارة كانت 3° فقط) وكانت دافئة جداً. اللون مطابق للصورة 100%، وأنصح بها لكل من يحب الصوف الطبيعي.',
			day: '2026-01-28',
			place: ['عمّان', 'عمّان', 'Jordan', 'JO'],
			helpful: 6,
		},
		{
			rating: 4.5,
			author: 'תמר ש.',
			title: 'נעים, חם, יפה',
			body: 'השמיכה "Wool Throw" הגיעה תוך 5 ימים. הצמר לא דוקר בכלל, והגודל מספיק לשניים. חצי כוכב פחות כי הפרנזים מסתבכים 🙂',
			day: '2025-12-14',
			place: ['תל אביב', 'מחוז תל אביב', 'Israel', 'IL'],
			helpful: 4,
		},
	],
	'p-20': [
		{ rating: 5, author: '', title: '', body: 'Basket.', day: '2024-09-09', place: SOMEWHERE, helpful: 0 },
	],
	'p-31': [
		{
			rating: 4,
			author: 'Zoë-Anne d’A.',
			title: 'It\'s the "right" size & shape',
			body: 'Measurements: 52 × 30 × 20 cm; straps < 8 cm wide. See https://shop.example/fit?a=1&b=2 for the table.\r\nSecond line after a Windows line break.\tAnd a tab.',
			day: '2026-05-05',
			place: SOMEWHERE,
			helpful: 8,
		},
	],
	'p-44': [
		{
			rating: 5,
			author: 'Nils P.',
			title: '👩‍👩‍👧‍👦 approved 🇳🇴✍🏽',
			body: '📓➡️😍 … 10/10 👌🏾',
			day: '2025-08-08',
			place: ['Oslo', 'Oslo', 'Norway', 'NO'],
			helpful: 2,
		},
		{
			rating: 2,
			author: 'Uwe R.',
			title: 'Papier < 100 g/m²?',
			body: 'Laut Beschreibung 100 g/m², gemessen habe ich 92. Kein Drama, aber „hundert“ heißt für mich hundert & nicht zweiundneunzig.',
			day: '2025-02-17',
			place: ['Leipzig', 'Sachsen', 'Germany', 'DE'],
			helpful: 10,
		},
	],
	'p-53': [
		{
			rating: 5,
			author: 'Rosie H.',
			title: '',
			body: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAdorable',
			day: '2026-06-21',
			place: SOMEWHERE,
			helpful: 21,
			pictures: 1,
		},
	],
	'p-60': [
		{
			rating: 4.5,
			author: '直樹',
			title: '夜も安心',
			body: '明るさが変えられるので、子どもがぐっすり眠れます。',
			day: '2026-09-30',
			place: ['東京', '東京都', 'Japan', 'JP'],
			helpful: 3,
		},
	],
};
