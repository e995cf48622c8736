const flows = require('@medusajs/medusa/core-flows');
const { writeFileSync } = require('node:fs');

/** Makes a shop with two products that a customer has bought. */
exports.default = async ({ container }) => {
	const run = async (name, input) => (await flows[name](container).run({ input })).result;
	const [channel] = await run('createSalesChannelsWorkflow', { salesChannelsData: [{ name: 'Storefront' }] });
	const [key] = await run('createApiKeysWorkflow', {
		api_keys: [{ title: 'Storefront', type: 'publishable', created_by: '' }],
	});
	await run('linkSalesChannelsToApiKeyWorkflow', { id: key.id, add: [channel.id] });
	const [region] = await run('createRegionsWorkflow', {
		regions: [{ name: 'Europe', currency_code: 'eur', countries: ['at'] }],
	});
	const [profile] = await run('createShippingProfilesWorkflow', {
		data: [{ name: 'Parcel', type: 'default' }],
	});
	const products = await run('createProductsWorkflow', {
		products: ['Kettle', 'Lamp'].map((title) => ({
			...{ title, status: 'published', shipping_profile_id: profile.id },
			sales_channels: [{ id: channel.id }],
			options: [{ title: 'Size', values: ['One'] }],
			variants: [
				{
					...{ title: 'One', options: { Size: 'One' }, manage_inventory: false },
					prices: [{ amount: 40, currency_code: 'eur' }],
				},
			],
		})),
	});
	const [customer] = await run('createCustomersWorkflow', {
		customersData: [{ email: 'canary@example.org', first_name: 'Nadja', last_name: 'Canaryson' }],
	});
	const order = await run('createOrderWorkflow', {
		...{ region_id: region.id, sales_channel_id: channel.id, currency_code: 'eur' },
		...{ customer_id: customer.id, email: 'canary@example.org' },
		items: products.map(({ title, variants }) => ({
			...{ variant_id: variants[0].id, quantity: 1, unit_price: 40, title },
		})),
	});
	const items = order.items.map(({ id, product_id }) => ({ id, product_id }));
	writeFileSync(process.env.SEED_FILE, JSON.stringify({ key: key.token, order: order.id, items }));
};
