export { readHeader, whyNotAStore } from '../store/identity.js';
export { inTransaction } from '../store/in-transaction.js';
export { makeFolder } from '../store/make-folder.js';
export { markProducts } from '../store/mark-products.js';
export { ALL_PRODUCTS } from '../store/marks.js';
export { type Ignored, type Merged, mergeStore } from '../store/merge-store.js';
export { assertTables, isUnusable, openDatabase } from '../store/open-database.js';
export { openExistingFile } from '../store/open-existing-file.js';
export { openStore } from '../store/open-store.js';
export {
	findAccounts,
	findProduct,
	findProducts,
	type ProductRow,
	type ProductTotals,
	type ProductValue,
	productRows,
	productTotals,
} from '../store/queries.js';
export { PRODUCT_KINDS, RESOURCES, type ReviewStore } from '../store/review-store.js';
export { mendMarks } from '../store/row-upkeep.js';
export {
	byKind,
	ENTRY_COLUMNS,
	isWhole,
	type KeyedRow,
	prepareToRead,
	proofOf,
	type Row,
	toRow,
	unpackRow,
} from '../store/rows.js';
export { sizeOfStore } from '../store/size-of-store.js';
export { storeFolder } from '../store/store-folder.js';
