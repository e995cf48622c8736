import type { ProductCategory } from '../products.js';
import type { CategoryPhrases, LanguagePhrases } from './phrases.js';

/** Japanese sentences about any product. */
export const JAPANESE: LanguagePhrases = {
	openings: [
		'半年ほど使ってみての感想です。',
		'友人の家で見て一目惚れしました。',
		'母への贈り物として購入しました。',
		'値段で少し迷いましたが、思い切って注文しました。',
		'二度目の購入です。',
	],
	praise: {
		quality: [
			'作りがとても丁寧です。',
			'手に取るとすぐに品質の良さが分かります。',
			'写真より実物のほうがずっと素敵でした。',
		],
		delivery: ['梱包も丁寧で、予定より早く届きました。'],
		value: ['安くはありませんが、その価値は十分あります。'],
		design: ['シンプルで飽きのこないデザインです。'],
	},
	criticism: {
		delivery: ['届くまでに三週間近くかかりました。'],
		value: ['少し高いかなと思います。'],
		quality: ['片側に小さな傷がありました。'],
		size: ['思っていたより小さめです。'],
	},
	closings: {
		good: ['買ってよかったです!', 'また購入したいと思います。', '大満足です😊', 'おすすめです。'],
		bad: ['残念ながら返品しました。', '期待していただけに残念です。'],
	},
	titles: {
		good: ['とても気に入っています', '大満足', '買ってよかった', '期待以上'],
		mixed: ['まあまあです', '悪くはないけれど'],
		bad: ['期待外れ', '残念です'],
	},
	short: ['最高です!', 'とても良いです。', '満足しています。', 'かわいい♪'],
	names: ['美咲', '健太', '由美子', '大輔', 'さくら', '直樹'],
	places: [
		['東京', '東京都', 'Japan', 'JP'],
		['京都', '京都府', 'Japan', 'JP'],
		['札幌', '北海道', 'Japan', 'JP'],
	],
	space: '',
};

/** Japanese sentences by category. */
export const JAPANESE_CATEGORIES: Readonly<Record<ProductCategory, CategoryPhrases>> = {
	kitchen: {
		praise: { use: ['毎日の料理が楽しくなりました。', '汚れがすぐに落ちるので助かります。'] },
		criticism: { use: ['手入れに少し手間がかかります。'] },
	},
	home: {
		praise: { use: ['部屋の雰囲気がぐっと落ち着きました。', '自然な素材の手触りが心地よいです。'] },
		criticism: { use: ['色が画面で見るより暗めです。'] },
	},
	garden: {
		praise: {
			use: [
				'冬の間ずっと外に置いていましたが、まったく問題ありません。',
				'小さなベランダでも重宝しています。',
			],
		},
		criticism: { use: ['雨には少し弱いようです。'] },
	},
	outdoor: {
		praise: { use: ['北アルプスの縦走で大活躍しました。', '軽いのに丈夫です。'] },
		criticism: { use: ['表示より少し重く感じます。'] },
	},
	desk: {
		praise: { use: ['机の上がすっきり片付きました。', '在宅勤務に欠かせません。'] },
		criticism: { use: ['私の机には少し大きめでした。'] },
	},
	kids: {
		praise: { use: ['娘が毎日これで遊んでいます。', '角が丸くて、においもなく安心です。'] },
		criticism: { use: ['息子はすぐに飽きてしまいました。'] },
	},
};
