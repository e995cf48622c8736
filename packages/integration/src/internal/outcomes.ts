export type { Status } from '../outcomes/create-outcomes.js';
export { createProductOutcomes, failuresIn } from '../outcomes/product-outcomes.js';
