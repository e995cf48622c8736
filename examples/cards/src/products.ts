export const PRODUCTS = [
	{ id: 'p-1', name: 'Enamel Kettle', price: 64 },
	{ id: 'p-2', name: 'Cast Iron Skillet', price: 79 },
	{ id: 'p-3', name: 'Oak Chopping Board', price: 48 },
];
