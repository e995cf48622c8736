import { defineConfig } from '@playwright/test';

export default defineConfig({
	testDir: './e2e',
	use: { baseURL: 'http://localhost:4321' },
	webServer: { command: 'node e2e/serve.mjs', url: 'http://localhost:4321', timeout: 120_000 },
});
