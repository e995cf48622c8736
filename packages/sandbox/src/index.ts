export type { ProductOverview, ReviewFilter } from './database.js';
export type { ActiveFault, FaultKind, FaultRule, FaultRules } from './faults.js';
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
export type { RecordedRequest, RequestFilter, RequestRecords } from './requests.js';
export { type ExtraProduct, type ProductCategory, SEED_PRODUCTS, type SeedProduct } from './seed.js';
export { type Sandbox, startSandbox } from './server.js';
export type { NewNote, Notes, SandboxOptions } from './service.js';
export type { ReviewStore } from './store.js';
export type { NewWebhook, Webhook, WebhookDelivery, WebhookEventType, Webhooks } from './webhooks.js';
