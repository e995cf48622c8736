export { ENVIRONMENT, REPORT_FILE, REPORT_PAGE_FILE, STORE_FILE } from '../constants.js';
export { VERSION } from '../version.js';
