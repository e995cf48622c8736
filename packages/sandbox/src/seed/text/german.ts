import type { ProductCategory } from '../products.js';
import type { CategoryPhrases, LanguagePhrases } from './phrases.js';

/** German sentences about any product. */
export const GERMAN: LanguagePhrases = {
	openings: [
		'Ich habe lange überlegt und dann doch bestellt.',
		'Ein Geschenk für meine Schwester zum Einzug.',
		'Seit einem halben Jahr im Einsatz.',
		'Nach den vielen guten Bewertungen war ich gespannt.',
		'Das war meine zweite Bestellung hier.',
		'Eigentlich wollte ich nur stöbern.',
		'Mein Mann war skeptisch, ich nicht.',
		'Kurz und knapp:',
	],
	praise: {
		quality: [
			'Sehr sauber verarbeitet, da gibt es nichts zu meckern.',
			'Man merkt, dass hier jemand mitgedacht hat.',
			'Fühlt sich hochwertig an, kein Vergleich zum Vorgänger.',
			'Genau wie beschrieben, eher noch besser.',
		],
		delivery: [
			'Schnelle Lieferung, liebevoll und ohne Plastik verpackt.',
			'Kam einen Tag früher als angekündigt.',
			'Rückfrage an einem Sonntag, Antwort am Montag um acht – so geht Kundendienst.',
		],
		value: ['Nicht billig, aber jeden Euro wert.', 'Preis und Leistung passen.'],
		design: ['Schlicht und schön.', 'Sieht in echt noch besser aus als auf den Bildern.'],
	},
	criticism: {
		delivery: ['Die Lieferung hat fast drei Wochen gedauert.', 'Der Karton war auf einer Seite eingedrückt.'],
		value: ['Für das Geld hatte ich etwas mehr erwartet.'],
		quality: [
			'An einer Stelle ist die Oberfläche ungleichmäßig.',
			'Riecht in den ersten Tagen recht streng.',
		],
		size: ['Etwas kleiner als gedacht – unbedingt die Maße lesen.'],
	},
	closings: {
		good: [
			'Klare Empfehlung!',
			'Gerne wieder.',
			'Wir sind rundum zufrieden.',
			'Würde ich sofort wieder kaufen.',
			'Daumen hoch 👍',
			'Da freut man sich jeden Tag.',
		],
		bad: ['Leider ging es zurück.', 'Schade, die Idee ist gut.', 'So nicht noch einmal.'],
	},
	titles: {
		good: [
			'Einfach schön',
			'Top Qualität',
			'Sehr zufrieden',
			'Genau das Richtige',
			'Lohnt sich',
			'Volltreffer',
			'Begeistert!',
		],
		mixed: ['Gut, aber nicht perfekt', 'Ganz okay', 'Mit kleinen Abstrichen'],
		bad: ['Enttäuscht', 'Leider nein', 'Zu teuer dafür'],
	},
	short: ['Super!', 'Alles bestens.', 'Passt.', 'Sehr schön ♥', 'Wie beschrieben, gerne wieder.'],
	names: ['Anke', 'Jürgen', 'Sabine', 'Lukas', 'Greta', 'Björn', 'Heike', 'Matthias', 'Zoë', 'Uwe'],
	places: [
		['Hamburg', 'Hamburg', 'Germany', 'DE'],
		['München', 'Bayern', 'Germany', 'DE'],
		['Leipzig', 'Sachsen', 'Germany', 'DE'],
		['Graz', 'Steiermark', 'Austria', 'AT'],
		['Zürich', 'Zürich', 'Switzerland', 'CH'],
	],
	space: ' ',
};

/** German sentences by category. */
export const GERMAN_CATEGORIES: Readonly<Record<ProductCategory, CategoryPhrases>> = {
	kitchen: {
		praise: {
			use: [
				'Steht bei uns jeden Tag auf dem Küchentisch.',
				'Seitdem macht das Kochen noch mehr Freude.',
				'Lässt sich leicht reinigen.',
			],
		},
		criticism: { use: ['Etwas pflegeintensiv für den Alltag.'] },
	},
	home: {
		praise: {
			use: [
				'Macht unser Wohnzimmer gleich gemütlicher.',
				'Passt wunderbar zu unseren alten Möbeln.',
				'Ein natürliches Material, das man gern anfasst.',
			],
		},
		criticism: { use: ['Die Farbe ist dunkler als auf dem Bildschirm.'] },
	},
	garden: {
		praise: {
			use: [
				'Hat den ersten Winter draußen ohne Schaden überstanden.',
				'Die Gartenarbeit geht damit leichter von der Hand.',
				'Auch auf dem kleinen Balkon sehr nützlich.',
			],
		},
		criticism: { use: ['Im Regen sollte man es nicht stehen lassen.'] },
	},
	outdoor: {
		praise: {
			use: [
				'Auf der Hüttentour im Karwendel bestens bewährt.',
				'Leicht und trotzdem robust.',
				'War bei Dauerregen in Norwegen dabei und hat mich nicht im Stich gelassen.',
			],
		},
		criticism: { use: ['Etwas schwerer als angegeben.'] },
	},
	desk: {
		praise: {
			use: [
				'Endlich Ordnung auf dem Schreibtisch.',
				'Im Homeoffice möchte ich nicht mehr darauf verzichten.',
				'Die Kollegen fragen in jeder Videokonferenz danach.',
			],
		},
		criticism: { use: ['Für meinen kleinen Schreibtisch fast zu groß.'] },
	},
	kids: {
		praise: {
			use: [
				'Unsere Tochter gibt es nicht mehr aus der Hand.',
				'Stabil genug für zwei wilde Jungs.',
				'Hat keine scharfen Kanten und riecht nach nichts – sehr gut.',
			],
		},
		criticism: { use: ['Ab vier Jahren schnell langweilig.'] },
	},
};
