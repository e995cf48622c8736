// http-server.js
import { createServer } from 'node:http';
import { toNodeHandler } from 'product-reviews-webhook/node';
import { receiveReviews } from './receive-reviews.js';

createServer(toNodeHandler(receiveReviews)).listen(process.env.PORT ?? 4500);
