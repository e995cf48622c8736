/** The `id` of the JSON-LD script element, as the service documents it. */
export const SCHEMA_SCRIPT_ID = 'ServiceReviewSchemaJson';
