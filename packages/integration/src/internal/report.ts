export { addParts, sumOfParts } from '../report/add-parts.js';
export type { BuildReport, ProductReport, ResourceReport } from '../report/build-report.js';
export { collectWarnings } from '../report/collect-warnings.js';
export { countStatuses, type Totals } from '../report/count-statuses.js';
export { describeDropped, describeParts } from '../report/describe-dropped.js';
export { readReport } from '../report/read-report.js';
export { summarize } from '../report/summarize.js';
export { writeReport } from '../report/write-report.js';
