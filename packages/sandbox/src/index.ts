export type { ProductOverview, ReviewFilter } from './database.js';
export type { ActiveFault, FaultKind, FaultRule, FaultRules } from './faults.js';
export type { RecordedRequest, RequestFilter, RequestRecords } from './http/requests.js';
export type { NewNote, Notes } from './notes.js';
export type {
	NewProduct,
	NewQuestion,
	NewReview,
	Product,
	Question,
	Review,
	ReviewChanges,
	ReviewStatus,
	ReviewTopic,
} from './records.js';
export { InvalidInputError, NotFoundError } from './records.js';
export { type ProductCategory, SEED_PRODUCTS, type SeedProduct } from './seed/products.js';
export type { ExtraProduct } from './seed/seed-database.js';
export { type Sandbox, type SandboxOptions, startSandbox } from './start-sandbox.js';
export type { ReviewStore } from './store.js';
export type { NewWebhook, Webhook, WebhookDelivery, WebhookEventType } from './webhooks/webhook.js';
export type { Webhooks } from './webhooks/webhooks.js';
