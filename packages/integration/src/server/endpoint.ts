/**
 * The endpoint that the option `webhook` adds to sites with an adapter. It uses no Node API, except through what it loads to
 * update pages. It contains only the names of variables; their values are read when the first event arrives.
 */
/// <reference types="astro/env" />
import { getSecret } from 'astro:env/server';
import { forgetReviews } from 'virtual:product-reviews';
import { locateBuild, settings } from 'virtual:product-reviews/webhook';
import { createEndpoint } from './create-endpoint.js';

export type { WebhookSettings } from '../options/webhook.js';

export const prerender = false;

export const ALL = createEndpoint(settings, { readVariable: getSecret, forget: forgetReviews, locateBuild });
