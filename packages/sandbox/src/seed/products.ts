import type { MotifName } from '../illustration/motifs/index.js';

/** Category of a product; review texts are written per category. */
export type ProductCategory = 'kitchen' | 'home' | 'garden' | 'outdoor' | 'desk' | 'kids';

/** A product of the seeded store. */
export interface SeedProduct {
	/** Product id, `p-1` to `p-60`. */
	readonly pid: string;
	readonly name: string;
	readonly category: ProductCategory;
	/** URL slug: lower-case letters, digits and hyphens. */
	readonly slug: string;
	/** The object in its pictures. */
	readonly motif: MotifName;
}

/**
 * The catalogue of "Fjell & Form", a fictional store: 60 products, ten in each category. The seeded reviews are about
 * these products; a demo shop can build its pages from the same list.
 *
 * @example
 * import { SEED_PRODUCTS } from 'product-reviews-sandbox';
 * const kitchen = SEED_PRODUCTS.filter(({ category }) => category === 'kitchen');
 */
export const SEED_PRODUCTS: readonly SeedProduct[] = [
	{ pid: 'p-1', name: 'Enamel Kettle 1.2 l', category: 'kitchen', slug: 'enamel-kettle', motif: 'kettle' },
	{
		pid: 'p-2',
		name: 'Cast Iron Skillet 26 cm',
		category: 'kitchen',
		slug: 'cast-iron-skillet',
		motif: 'skillet',
	},
	{ pid: 'p-3', name: 'Oak Chopping Board', category: 'kitchen', slug: 'oak-chopping-board', motif: 'board' },
	{
		pid: 'p-4',
		name: 'Pour-Over Coffee Set',
		category: 'kitchen',
		slug: 'pour-over-coffee-set',
		motif: 'pourOver',
	},
	{
		pid: 'p-5',
		name: 'Stoneware Bowls, Set of 4',
		category: 'kitchen',
		slug: 'stoneware-bowls',
		motif: 'bowls',
	},
	{
		pid: 'p-6',
		name: 'Beech Salad Servers',
		category: 'kitchen',
		slug: 'beech-salad-servers',
		motif: 'servers',
	},
	{
		pid: 'p-7',
		name: 'Linen Tea Towels, Pack of 3',
		category: 'kitchen',
		slug: 'linen-tea-towels',
		motif: 'teaTowels',
	},
	{
		pid: 'p-8',
		name: 'Salt & Pepper Mills',
		category: 'kitchen',
		slug: 'salt-and-pepper-mills',
		motif: 'mills',
	},
	{ pid: 'p-9', name: 'Bread Crock', category: 'kitchen', slug: 'bread-crock', motif: 'crock' },
	{
		pid: 'p-10',
		name: 'Carbon Steel Paring Knife',
		category: 'kitchen',
		slug: 'carbon-steel-paring-knife',
		motif: 'knife',
	},
	{ pid: 'p-11', name: 'Wool Throw', category: 'home', slug: 'wool-throw', motif: 'throw' },
	{
		pid: 'p-12',
		name: 'Paper Pendant Lamp 45 cm',
		category: 'home',
		slug: 'paper-pendant-lamp',
		motif: 'pendant',
	},
	{
		pid: 'p-13',
		name: 'Washed Linen Duvet Cover',
		category: 'home',
		slug: 'washed-linen-duvet-cover',
		motif: 'duvet',
	},
	{ pid: 'p-14', name: 'Ash Coat Rack', category: 'home', slug: 'ash-coat-rack', motif: 'coatRack' },
	{ pid: 'p-15', name: 'Braided Jute Rug', category: 'home', slug: 'braided-jute-rug', motif: 'rug' },
	{ pid: 'p-16', name: 'Birch Wall Clock', category: 'home', slug: 'birch-wall-clock', motif: 'clock' },
	{
		pid: 'p-17',
		name: 'Brass Candle Holder',
		category: 'home',
		slug: 'brass-candle-holder',
		motif: 'candle',
	},
	{ pid: 'p-18', name: 'Waffle Bath Towel', category: 'home', slug: 'waffle-bath-towel', motif: 'bathTowel' },
	{ pid: 'p-19', name: 'Round Mirror 60 cm', category: 'home', slug: 'round-mirror', motif: 'mirror' },
	{
		pid: 'p-20',
		name: 'Seagrass Storage Basket',
		category: 'home',
		slug: 'seagrass-storage-basket',
		motif: 'basket',
	},
	{
		pid: 'p-21',
		name: 'Copper Watering Can 2 l',
		category: 'garden',
		slug: 'copper-watering-can',
		motif: 'wateringCan',
	},
	{
		pid: 'p-22',
		name: 'Terracotta Planter 30 cm',
		category: 'garden',
		slug: 'terracotta-planter',
		motif: 'planter',
	},
	{
		pid: 'p-23',
		name: 'Forged Hand Trowel',
		category: 'garden',
		slug: 'forged-hand-trowel',
		motif: 'trowel',
	},
	{ pid: 'p-24', name: 'Bypass Secateurs', category: 'garden', slug: 'bypass-secateurs', motif: 'secateurs' },
	{
		pid: 'p-25',
		name: 'Folding Garden Chair',
		category: 'garden',
		slug: 'folding-garden-chair',
		motif: 'gardenChair',
	},
	{
		pid: 'p-26',
		name: 'Cedar Bird Feeder',
		category: 'garden',
		slug: 'cedar-bird-feeder',
		motif: 'birdFeeder',
	},
	{
		pid: 'p-27',
		name: 'Leather Gardening Gloves',
		category: 'garden',
		slug: 'leather-gardening-gloves',
		motif: 'gloves',
	},
	{
		pid: 'p-28',
		name: 'Cold Frame, Larch',
		category: 'garden',
		slug: 'larch-cold-frame',
		motif: 'coldFrame',
	},
	{
		pid: 'p-29',
		name: 'Solar Path Lights, Set of 4',
		category: 'garden',
		slug: 'solar-path-lights',
		motif: 'pathLights',
	},
	{ pid: 'p-30', name: 'Corten Fire Bowl', category: 'garden', slug: 'corten-fire-bowl', motif: 'fireBowl' },
	{
		pid: 'p-31',
		name: 'Trail Backpack 28 l',
		category: 'outdoor',
		slug: 'trail-backpack',
		motif: 'backpack',
	},
	{
		pid: 'p-32',
		name: 'Merino Base Layer',
		category: 'outdoor',
		slug: 'merino-base-layer',
		motif: 'baseLayer',
	},
	{
		pid: 'p-33',
		name: 'Insulated Bottle 750 ml',
		category: 'outdoor',
		slug: 'insulated-bottle',
		motif: 'bottle',
	},
	{
		pid: 'p-34',
		name: 'Two-Person Tent "Vidde"',
		category: 'outdoor',
		slug: 'two-person-tent-vidde',
		motif: 'tent',
	},
	{
		pid: 'p-35',
		name: 'Down Sleeping Bag',
		category: 'outdoor',
		slug: 'down-sleeping-bag',
		motif: 'sleepingBag',
	},
	{
		pid: 'p-36',
		name: 'Packable Rain Jacket',
		category: 'outdoor',
		slug: 'packable-rain-jacket',
		motif: 'jacket',
	},
	{ pid: 'p-37', name: 'Titanium Spork', category: 'outdoor', slug: 'titanium-spork', motif: 'spork' },
	{ pid: 'p-38', name: 'Camp Hammock', category: 'outdoor', slug: 'camp-hammock', motif: 'hammock' },
	{ pid: 'p-39', name: 'Head Torch 400 lm', category: 'outdoor', slug: 'head-torch', motif: 'headTorch' },
	{ pid: 'p-40', name: 'Wool Hiking Socks', category: 'outdoor', slug: 'wool-hiking-socks', motif: 'socks' },
	{
		pid: 'p-41',
		name: 'Walnut Monitor Stand',
		category: 'desk',
		slug: 'walnut-monitor-stand',
		motif: 'monitorStand',
	},
	{ pid: 'p-42', name: 'Felt Desk Mat', category: 'desk', slug: 'felt-desk-mat', motif: 'deskMat' },
	{
		pid: 'p-43',
		name: 'Brass Fountain Pen',
		category: 'desk',
		slug: 'brass-fountain-pen',
		motif: 'fountainPen',
	},
	{ pid: 'p-44', name: 'Dotted Notebook A5', category: 'desk', slug: 'dotted-notebook', motif: 'notebook' },
	{
		pid: 'p-45',
		name: 'Articulated Desk Lamp',
		category: 'desk',
		slug: 'articulated-desk-lamp',
		motif: 'deskLamp',
	},
	{ pid: 'p-46', name: 'Oak Letter Tray', category: 'desk', slug: 'oak-letter-tray', motif: 'letterTray' },
	{ pid: 'p-47', name: 'Ceramic Pen Cup', category: 'desk', slug: 'ceramic-pen-cup', motif: 'penCup' },
	{
		pid: 'p-48',
		name: 'Magnetic Cable Dock',
		category: 'desk',
		slug: 'magnetic-cable-dock',
		motif: 'cableDock',
	},
	{ pid: 'p-49', name: 'Cork Pin Board', category: 'desk', slug: 'cork-pin-board', motif: 'pinBoard' },
	{
		pid: 'p-50',
		name: 'Perpetual Desk Calendar',
		category: 'desk',
		slug: 'perpetual-desk-calendar',
		motif: 'calendar',
	},
	{
		pid: 'p-51',
		name: 'Maple Building Blocks',
		category: 'kids',
		slug: 'maple-building-blocks',
		motif: 'blocks',
	},
	{ pid: 'p-52', name: 'Balance Bike', category: 'kids', slug: 'balance-bike', motif: 'balanceBike' },
	{ pid: 'p-53', name: 'Knitted Fox', category: 'kids', slug: 'knitted-fox', motif: 'fox' },
	{ pid: 'p-54', name: 'Wooden Train Set', category: 'kids', slug: 'wooden-train-set', motif: 'train' },
	{ pid: 'p-55', name: 'Cotton Play Tent', category: 'kids', slug: 'cotton-play-tent', motif: 'playTent' },
	{
		pid: 'p-56',
		name: 'Beeswax Crayons, 12 Colours',
		category: 'kids',
		slug: 'beeswax-crayons',
		motif: 'crayons',
	},
	{ pid: 'p-57', name: 'Rain Boots', category: 'kids', slug: 'rain-boots', motif: 'boots' },
	{ pid: 'p-58', name: 'Climbing Triangle', category: 'kids', slug: 'climbing-triangle', motif: 'climbing' },
	{
		pid: 'p-59',
		name: 'Memory Game "Forest"',
		category: 'kids',
		slug: 'forest-memory-game',
		motif: 'memoryGame',
	},
	{
		pid: 'p-60',
		name: 'Night Light "Moon"',
		category: 'kids',
		slug: 'moon-night-light',
		motif: 'nightLight',
	},
];
