import type { Settings } from '../options/resolve-options.js';
import type { Pacer } from '../pacing/create-pacer.js';
import type { TokenSource } from './create-token-source.js';

/** What all requests of one client share. */
export interface ClientContext {
	readonly settings: Settings;
	readonly tokens: TokenSource;
	readonly pacer: Pacer;
}
