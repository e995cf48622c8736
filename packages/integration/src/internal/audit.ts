export type { PageFinding } from '../audit/audit.js';
export { RULES } from '../audit/audit-rules.js';
