// express-server.js
import express from 'express';
import { toNodeHandler } from 'product-reviews-webhook/node';
import { receiveReviews } from './receive-reviews.js';

const app = express();
// Before any body parser: a parsed body cannot be verified.
app.post('/reviews', toNodeHandler(receiveReviews));
app.use(express.json());
app.listen(process.env.PORT ?? 4500);
