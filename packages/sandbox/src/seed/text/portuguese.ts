import type { ProductCategory } from '../products.js';
import type { CategoryPhrases, LanguagePhrases } from './phrases.js';

/** Portuguese sentences about any product. */
export const PORTUGUESE: LanguagePhrases = {
	openings: [
		'Andava a namorar isto há meses.',
		'Comprei para oferecer aos meus pais.',
		'Uso todos os dias há meio ano.',
		'É a segunda vez que encomendo aqui.',
		'Confesso que estava com dúvidas por causa do preço.',
	],
	praise: {
		quality: [
			'O acabamento é impecável.',
			'Nota-se a qualidade assim que se pega nele.',
			'Corresponde à descrição, ou ainda melhor.',
		],
		delivery: [
			'Chegou em três dias, bem embalado e sem plástico.',
			'O apoio ao cliente foi muito simpático.',
		],
		value: ['Não é barato, mas vale o que custa.'],
		design: ['Simples e muito bonito.', 'Ao vivo é ainda mais bonito do que nas fotografias.'],
	},
	criticism: {
		delivery: ['A entrega demorou quase três semanas.'],
		value: ['Um pouco caro para o que oferece.'],
		quality: ['Veio com um pequeno defeito de um lado.'],
		size: ['É mais pequeno do que eu pensava.'],
	},
	closings: {
		good: ['Recomendo!', 'Compraria outra vez sem pensar.', 'Adorámos.', 'Muito obrigada a toda a equipa 💚'],
		bad: ['Acabei por devolver.', 'Esperava mais.'],
	},
	titles: {
		good: ['Lindo', 'Muito satisfeita', 'Excelente compra', 'Adorei', 'Qualidade a sério'],
		mixed: ['Bom, mas podia ser melhor', 'Razoável'],
		bad: ['Desiludida', 'Não compensa'],
	},
	short: ['Perfeito!', 'Muito bom.', 'Tudo certo.', 'Adoro 😍'],
	names: ['Inês', 'João', 'Catarina', 'Tiago', 'Beatriz', 'Gonçalo', 'Marisa', 'Rui'],
	places: [
		['Porto', 'Norte', 'Portugal', 'PT'],
		['Lisboa', 'Lisboa', 'Portugal', 'PT'],
		['São Paulo', 'SP', 'Brazil', 'BR'],
		['Curitiba', 'PR', 'Brazil', 'BR'],
	],
	space: ' ',
};

/** Portuguese sentences by category. */
export const PORTUGUESE_CATEGORIES: Readonly<Record<ProductCategory, CategoryPhrases>> = {
	kitchen: {
		praise: {
			use: [
				'Na nossa cozinha é usado a toda a hora.',
				'Limpa-se num instante.',
				'Desde que o tenho, cozinho com mais gosto.',
			],
		},
		criticism: { use: ['Precisa de mais cuidados do que eu esperava.'] },
	},
	home: {
		praise: {
			use: [
				'A sala ficou logo mais acolhedora.',
				'Combina com tudo.',
				'O material é natural e agradável ao toque.',
			],
		},
		criticism: { use: ['A cor é mais escura do que no ecrã.'] },
	},
	garden: {
		praise: {
			use: [
				'Passou o inverno lá fora sem um risco.',
				'Torna o trabalho na horta um prazer.',
				'Também serve para uma varanda pequena.',
			],
		},
		criticism: { use: ['Não gosta de chuva.'] },
	},
	outdoor: {
		praise: {
			use: [
				'Testado na Serra da Estrela, nota máxima.',
				'Leve e resistente.',
				'Fez comigo a Rota Vicentina e está como novo.',
			],
		},
		criticism: { use: ['Pesa um pouco mais do que o indicado.'] },
	},
	desk: {
		praise: {
			use: [
				'Finalmente tenho a secretária arrumada.',
				'Indispensável no teletrabalho.',
				'Os meus colegas perguntam sempre onde o comprei.',
			],
		},
		criticism: { use: ['Um pouco grande para a minha mesa.'] },
	},
	kids: {
		praise: {
			use: [
				'A minha filha não o larga.',
				'Resistiu a dois irmãos muito mexidos.',
				'Sem arestas nem cheiros, fico descansada.',
			],
		},
		criticism: { use: ['O meu filho fartou-se depressa.'] },
	},
};
