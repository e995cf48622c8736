export { type Html, html } from '../render/html.js';
