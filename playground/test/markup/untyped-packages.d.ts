declare module '@marbec/web-auto-extractor';
declare module '@adobe/structured-data-validator';
