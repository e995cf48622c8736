/** Names of the topics that the seed uses, by key, in the two documented languages. */
export const TOPIC_NAMES: ReadonlyMap<string, { readonly en: string; readonly pt: string }> = new Map([
	['quality', { en: 'Quality', pt: 'Qualidade' }],
	['design', { en: 'Design', pt: 'Design' }],
	['size', { en: 'Size', pt: 'Tamanho' }],
	['care', { en: 'Care and cleaning', pt: 'Cuidado e limpeza' }],
	['comfort', { en: 'Comfort', pt: 'Conforto' }],
	['delivery', { en: 'Delivery', pt: 'Entrega' }],
	['value', { en: 'Value for money', pt: 'Relação qualidade-preço' }],
	['durability', { en: 'Durability', pt: 'Durabilidade' }],
	['use', { en: 'Everyday use', pt: 'Uso diário' }],
]);
