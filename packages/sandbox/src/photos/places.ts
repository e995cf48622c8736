import type { ProductCategory } from '../seed/products.js';
import type { Drawing } from './frame.js';
import { INDOORS } from './indoors.js';
import { OUTDOORS } from './outdoors.js';
import { SURFACES } from './surfaces.js';

const { tiles, daylight, shelves, nursery } = INDOORS;
const { hedge, mountains, wood } = OUTDOORS;
const { oak, walnut, linen, stone, grass, rock, rug } = SURFACES;

/** Pairs of background and surface for the photos of each category. */
export const PLACES: Readonly<Record<ProductCategory, readonly (readonly [Drawing, Drawing])[]>> = {
	kitchen: [
		[tiles, oak],
		[tiles, stone],
		[daylight, linen],
		[daylight, oak],
		[shelves, walnut],
	],
	home: [
		[daylight, oak],
		[shelves, rug],
		[daylight, rug],
		[shelves, walnut],
	],
	garden: [
		[hedge, grass],
		[hedge, stone],
		[hedge, oak],
		[wood, grass],
	],
	outdoor: [
		[mountains, rock],
		[wood, grass],
		[mountains, grass],
		[wood, rock],
	],
	desk: [
		[shelves, oak],
		[daylight, walnut],
		[shelves, linen],
		[daylight, oak],
	],
	kids: [
		[nursery, rug],
		[nursery, oak],
		[hedge, grass],
		[daylight, rug],
	],
};
