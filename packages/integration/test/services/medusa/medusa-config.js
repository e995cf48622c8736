const { defineConfig } = require('@medusajs/framework/utils');

module.exports = defineConfig({
	admin: { disable: true },
	projectConfig: {
		databaseUrl: process.env.DATABASE_URL,
		databaseDriverOptions: { ssl: false, connection: { ssl: false } },
		http: {
			...{ storeCors: '*', adminCors: '*', authCors: '*' },
			...{ jwtSecret: 'not-a-secret-in-a-test', cookieSecret: 'not-a-secret-in-a-test' },
		},
	},
	plugins: [{ resolve: '@lambdacurry/medusa-product-reviews', options: { defaultReviewStatus: 'pending' } }],
});
