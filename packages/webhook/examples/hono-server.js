// hono-server.js
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { receiveReviews } from './receive-reviews.js';

const app = new Hono();
app.post('/reviews', (context) => receiveReviews(context.req.raw));
serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 4500) });
