export { assertNode, describeLacks, isOlder } from '../astro/supported-versions.js';
