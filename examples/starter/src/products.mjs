/** The store's catalog. The ids are those of the review service. */
export const products = [
	{ id: 'p-1', name: 'Enamel Kettle 1.2 l', price: 49, text: 'Boils on gas, induction and open fire.' },
	{ id: 'p-2', name: 'Cast Iron Skillet 26 cm', price: 59, text: 'Seasoned, heavy, and made to last.' },
	{ id: 'p-3', name: 'Oak Chopping Board', price: 39, text: 'End grain, oiled, with a groove.' },
];
