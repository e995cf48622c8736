import type { ProductCategory } from '../products.js';
import type { CategoryPhrases, LanguagePhrases } from './phrases.js';

/** Hebrew sentences about any product. */
export const HEBREW: LanguagePhrases = {
	openings: [
		'התלבטתי הרבה לפני שהזמנתי.',
		'קניתי מתנה לאמא שלי.',
		'בשימוש יומיומי כבר חצי שנה.',
		'הזמנה שנייה מהחנות.',
	],
	praise: {
		quality: [
			'גימור מושלם, רואים שהשקיעו.',
			'האיכות מורגשת מהרגע הראשון.',
			'בדיוק כמו בתיאור ואפילו יותר טוב.',
		],
		delivery: ['הגיע מהר ובאריזה מוקפדת.'],
		value: ['לא זול, אבל שווה כל שקל.'],
		design: ['עיצוב פשוט ויפה.'],
	},
	criticism: {
		delivery: ['המשלוח לקח כמעט שלושה שבועות.'],
		value: ['קצת יקר בשביל מה שזה.'],
		quality: ['היה פגם קטן בצד אחד.'],
		size: ['קטן ממה שחשבתי.'],
	},
	closings: {
		good: ['ממליצה בחום!', 'אקנה שוב בלי לחשוב.', 'תודה רבה 🙏', 'אנחנו מאוד מרוצים.'],
		bad: ['לצערי החזרתי.', 'ציפיתי ליותר.'],
	},
	titles: {
		good: ['פשוט יפה', 'מרוצים מאוד', 'איכות מעולה', 'קנייה מצוינת'],
		mixed: ['סביר', 'טוב, אבל לא מושלם'],
		bad: ['מאכזב', 'לא בשבילי'],
	},
	short: ['מושלם!', 'מעולה.', 'הכול תקין.'],
	names: ['נועה', 'איתן', 'תמר', 'יונתן', 'מיכל', 'עומר'],
	places: [
		['תל אביב', 'מחוז תל אביב', 'Israel', 'IL'],
		['חיפה', 'מחוז חיפה', 'Israel', 'IL'],
	],
	space: ' ',
};

/** Hebrew sentences by category. */
export const HEBREW_CATEGORIES: Readonly<Record<ProductCategory, CategoryPhrases>> = {
	kitchen: {
		praise: { use: ['משתמשים בזה במטבח כל יום.', 'קל מאוד לניקוי.'] },
		criticism: { use: ['דורש יותר טיפול ממה שחשבתי.'] },
	},
	home: {
		praise: { use: ['הסלון נראה הרבה יותר חמים.', 'חומר טבעי ונעים למגע.'] },
		criticism: { use: ['הצבע כהה יותר מאשר בתמונה.'] },
	},
	garden: {
		praise: { use: ['עבר חורף שלם בחוץ בלי שום נזק.', 'מתאים גם למרפסת קטנה.'] },
		criticism: { use: ['לא אוהב גשם.'] },
	},
	outdoor: {
		praise: { use: ['היה איתי בשביל ישראל ולא אכזב.', 'קל וחזק.'] },
		criticism: { use: ['קצת יותר כבד ממה שכתוב.'] },
	},
	desk: {
		praise: { use: ['סוף סוף השולחן מסודר.', 'חובה למי שעובד מהבית.'] },
		criticism: { use: ['קצת גדול לשולחן שלי.'] },
	},
	kids: {
		praise: { use: ['הבת שלי לא נפרדת מזה.', 'חזק, בלי פינות חדות ובלי ריח.'] },
		criticism: { use: ['הבן שלי השתעמם מהר.'] },
	},
};
