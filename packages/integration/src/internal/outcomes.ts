export { createTally } from '../outcomes/tally.js';
