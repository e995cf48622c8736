export type { ProductOverview, ReviewFilter } from './database/database.js';
export type { NewProduct, NewQuestion, NewReview, ReviewChanges } from './editing/input.js';
export { InvalidInputError, NotFoundError } from './editing/input.js';
export type { ActiveFault, FaultKind, FaultRule, FaultRules } from './faults/faults.js';
export type { NewNote, Notes } from './notes/notes.js';
export type { Product, Question, Review, ReviewDetails, ReviewStatus, ReviewTopic } from './records.js';
export type { ExtraProduct, SandboxOptions } from './sandbox-options.js';
export { type ProductCategory, SEED_PRODUCTS, type SeedProduct } from './seed/products.js';
export type { InFlight, RecordedRequest, RequestFilter, RequestRecords } from './server/requests.js';
export { type Sandbox, startSandbox } from './start-sandbox.js';
export type { ReviewStore } from './store.js';
export type {
	NewWebhook,
	Webhook,
	WebhookDelivery,
	WebhookEventType,
	Webhooks,
} from './webhooks/webhooks.js';
