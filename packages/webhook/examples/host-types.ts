// Checks the examples against the function types of each host.
import { POST } from './api/reviews.js';
import reviews from './netlify/functions/reviews.js';

reviews satisfies (request: Request) => Promise<Response>;
POST satisfies (request: Request) => Promise<Response>;
