export type { PageFinding } from '../audit/audit.js';
