export { describeCause } from '../failures/describe-failure.js';
export { codeOf } from '../failures/failure-kind.js';
