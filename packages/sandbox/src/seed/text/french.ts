import type { ProductCategory } from '../products.js';
import type { CategoryPhrases, LanguagePhrases } from './phrases.js';

/** French sentences about any product. */
export const FRENCH: LanguagePhrases = {
	openings: [
		'J’hésitais depuis des mois, et j’ai fini par commander.',
		'Offert à ma mère pour son anniversaire.',
		'Utilisé tous les jours depuis six mois.',
		'Deuxième commande sur ce site.',
		'Je laisse rarement des avis, mais là…',
		'Trouvé un peu par hasard.',
		'Très bonne surprise à l’ouverture du colis.',
	],
	praise: {
		quality: [
			'La finition est impeccable.',
			'On sent tout de suite que c’est du solide.',
			'Fidèle à la description, et même mieux.',
			'Rien à voir avec les modèles bon marché.',
		],
		delivery: [
			'Livraison rapide et emballage soigné, sans plastique.',
			'Le service client a répondu en moins d’une heure.',
		],
		value: ['Ce n’est pas donné, mais on en a pour son argent.', 'Très bon rapport qualité-prix.'],
		design: ['Sobre et élégant.', 'Encore plus beau en vrai qu’en photo.'],
	},
	criticism: {
		delivery: ['Presque trois semaines d’attente, c’est long.', 'Le carton est arrivé enfoncé.'],
		value: ['Un peu cher pour ce que c’est.'],
		quality: ['Un petit défaut de finition sur le côté.'],
		size: ['Plus petit que je ne l’imaginais : vérifiez bien les dimensions.'],
	},
	closings: {
		good: [
			'Je recommande les yeux fermés !',
			'J’en suis ravie.',
			'À racheter sans hésiter.',
			'Merci à toute l’équipe.',
			'Parfait, tout simplement.',
		],
		bad: ['Renvoyé, dommage.', 'Je m’attendais à mieux.', 'Je ne rachèterai pas.'],
	},
	titles: {
		good: [
			'Superbe',
			'Très satisfaite',
			'Un vrai bonheur',
			'Conforme et de qualité',
			'Coup de cœur ❤️',
			'Excellent achat',
		],
		mixed: ['Bien, sans plus', 'Quelques défauts', 'Correct'],
		bad: ['Déçu', 'Pas pour moi', 'Qualité décevante'],
	},
	short: ['Parfait !', 'Très bien.', 'Rien à redire.', 'Au top 👌', 'Conforme à la description.'],
	names: ['Camille', 'Étienne', 'Élodie', 'Luc', 'Margaux', 'Benoît', 'Anaïs', 'Hugo', 'Solène', 'Gaël'],
	places: [
		['Lyon', 'Auvergne-Rhône-Alpes', 'France', 'FR'],
		['Nantes', 'Pays de la Loire', 'France', 'FR'],
		['Lille', 'Hauts-de-France', 'France', 'FR'],
		['Liège', 'Wallonie', 'Belgium', 'BE'],
		['Genève', 'Genève', 'Switzerland', 'CH'],
	],
	space: ' ',
};

/** French sentences by category. */
export const FRENCH_CATEGORIES: Readonly<Record<ProductCategory, CategoryPhrases>> = {
	kitchen: {
		praise: {
			use: [
				'On s’en sert à chaque repas.',
				'Se nettoie en un clin d’œil.',
				'Il ne quitte plus le plan de travail.',
			],
		},
		criticism: { use: ['Demande plus d’entretien que prévu.'] },
	},
	home: {
		praise: {
			use: [
				'Le salon est tout de suite plus chaleureux.',
				'Se marie très bien avec nos vieux meubles.',
				'La matière est douce et naturelle.',
			],
		},
		criticism: { use: ['La teinte est plus foncée que sur les photos.'] },
	},
	garden: {
		praise: {
			use: [
				'Un hiver dehors, et pas une trace.',
				'Jardiner devient un vrai plaisir.',
				'Idéal aussi sur un petit balcon.',
			],
		},
		criticism: { use: ['Supporte mal la pluie prolongée.'] },
	},
	outdoor: {
		praise: {
			use: [
				'Testé sur le GR20 : rien à signaler.',
				'Léger et costaud à la fois.',
				'M’a accompagné cinq jours sous la pluie sans broncher.',
			],
		},
		criticism: { use: ['Un peu plus lourd qu’annoncé.'] },
	},
	desk: {
		praise: {
			use: [
				'Enfin un bureau bien rangé.',
				'Indispensable en télétravail.',
				'Mes collègues m’en parlent à chaque visio.',
			],
		},
		criticism: { use: ['Un peu grand pour mon petit bureau.'] },
	},
	kids: {
		praise: {
			use: [
				'Ma fille ne le lâche plus.',
				'Solide : il a survécu à deux frères très énergiques.',
				'Aucun bord coupant, aucune odeur, je suis rassurée.',
			],
		},
		criticism: { use: ['Mon fils s’en est vite lassé.'] },
	},
};
