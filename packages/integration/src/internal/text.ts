export { inParallel } from '../collections/in-parallel.js';
export { plainLine, printableJson } from '../text/clean-text.js';
export { inChunks } from '../text/in-chunks.js';
export {
	age,
	ago,
	amount,
	capitalize,
	count,
	isoTime,
	nameProduct,
	nameProducts,
	reasonOf,
	size,
} from '../text/words.js';
