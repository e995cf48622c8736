import type { ProductCategory } from '../products.js';
import type { CategoryPhrases, LanguagePhrases } from './phrases.js';

/** Spanish sentences about any product. */
export const SPANISH: LanguagePhrases = {
	openings: [
		'Llevaba meses dándole vueltas y al final me decidí.',
		'Fue un regalo para mi pareja.',
		'Lo uso a diario desde hace medio año.',
		'Segunda compra en esta tienda.',
		'No suelo escribir reseñas, pero esta la merece.',
		'Lo vi en casa de una amiga.',
	],
	praise: {
		quality: [
			'Los acabados son impecables.',
			'Se nota la calidad desde el primer momento.',
			'Tal como se describe, o incluso mejor.',
			'Nada que ver con los modelos baratos.',
		],
		delivery: [
			'Llegó en dos días, muy bien embalado y sin plásticos.',
			'Tuve una duda y me respondieron enseguida.',
		],
		value: ['No es barato, pero vale cada euro.', 'Muy buena relación calidad-precio.'],
		design: ['Sencillo y precioso.', 'Es aún más bonito que en las fotos.'],
	},
	criticism: {
		delivery: ['Tardó casi tres semanas en llegar.', 'La caja llegó golpeada.'],
		value: ['Un poco caro para lo que es.'],
		quality: ['Tenía un pequeño defecto en un lado.'],
		size: ['Es más pequeño de lo que esperaba: mirad bien las medidas.'],
	},
	closings: {
		good: [
			'¡Totalmente recomendable!',
			'Volvería a comprarlo sin dudarlo.',
			'Estamos encantados.',
			'Gracias por cuidar tanto los detalles.',
			'Un acierto 😊',
		],
		bad: ['Lo he devuelto.', 'Esperaba más, la verdad.', 'No repetiré.'],
	},
	titles: {
		good: ['Precioso', '¡Me encanta!', 'Muy contenta', 'Gran compra', 'Calidad de verdad', 'Lo que buscaba'],
		mixed: ['Bien, con matices', 'Ni fu ni fa', 'Cumple'],
		bad: ['Decepcionante', 'No lo recomiendo', 'No era lo que esperaba'],
	},
	short: ['¡Perfecto!', 'Muy bien.', 'Todo correcto.', 'Una maravilla ✨', 'Genial.'],
	names: ['Lucía', 'Íñigo', 'Carmen', 'Álvaro', 'Marta', 'Joaquín', 'Begoña', 'Sergio', 'Nuria', 'Andrés'],
	places: [
		['Bilbao', 'País Vasco', 'Spain', 'ES'],
		['Madrid', 'Madrid', 'Spain', 'ES'],
		['Sevilla', 'Andalucía', 'Spain', 'ES'],
		['Ciudad de México', 'CDMX', 'Mexico', 'MX'],
		['Montevideo', 'Montevideo', 'Uruguay', 'UY'],
	],
	space: ' ',
};

/** Spanish sentences by category. */
export const SPANISH_CATEGORIES: Readonly<Record<ProductCategory, CategoryPhrases>> = {
	kitchen: {
		praise: {
			use: [
				'En nuestra cocina se usa a todas horas.',
				'Se limpia en un momento.',
				'Desde que lo tengo, cocino con más ganas.',
			],
		},
		criticism: { use: ['Necesita más cuidados de los que pensaba.'] },
	},
	home: {
		praise: {
			use: ['El salón ha ganado mucho.', 'Combina con todo.', 'El material es natural y muy agradable.'],
		},
		criticism: { use: ['El color es más oscuro que en la pantalla.'] },
	},
	garden: {
		praise: {
			use: [
				'Ha pasado el invierno fuera sin un rasguño.',
				'Con él da gusto trabajar en el huerto.',
				'También va genial en una terraza pequeña.',
			],
		},
		criticism: { use: ['No aguanta bien la humedad.'] },
	},
	outdoor: {
		praise: {
			use: [
				'Probado en los Pirineos: sobresaliente.',
				'Ligero y resistente.',
				'Hizo conmigo el Camino entero y sigue como nuevo.',
			],
		},
		criticism: { use: ['Pesa algo más de lo indicado.'] },
	},
	desk: {
		praise: {
			use: [
				'Por fin tengo la mesa ordenada.',
				'Imprescindible para teletrabajar.',
				'En cada videollamada me preguntan de dónde es.',
			],
		},
		criticism: { use: ['Un poco grande para mi mesa.'] },
	},
	kids: {
		praise: {
			use: [
				'Mi hija no lo suelta.',
				'Ha sobrevivido a dos hermanos muy brutos.',
				'Sin bordes ni olores raros, me quedo tranquila.',
			],
		},
		criticism: { use: ['Mi hijo se cansó enseguida.'] },
	},
};
