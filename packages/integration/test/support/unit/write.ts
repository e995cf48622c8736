import type { ProductReviews } from '../../../src/records/record.js';
import type { FragmentRequest, FragmentSettings, StoredData } from '../../../src/render/fragment.js';
import { writeFragment } from '../../../src/render/write-fragment.js';

export type Display = FragmentSettings['display'];
export type Props = Readonly<Record<string, unknown>>;

type Settings = Partial<FragmentSettings & Pick<FragmentRequest, 'language' | 'address'>>;

/** The html of a component for what is stored of a product; all parts, where the page has slots for others. */
export function write(
	component: string,
	stored: StoredData[keyof StoredData] | undefined,
	props: Props = {},
	{ language, address, ...site }: Settings = {},
): string {
	const settings = { display: 'hidden', labels: {}, ...site } as const;
	const { html, parts = {} } = writeFragment(
		'p-1',
		stored,
		{ component, props, language, address },
		settings,
	);
	return html + Object.values(parts).join('');
}

/** What the components of a product page write, one after the other. */
export function writeAll(product: ProductReviews, display: Display = 'hidden'): string {
	return ['StarRating', 'ProductReviews', 'ReviewSchema']
		.map((component) => write(component, product, {}, { display }))
		.join('');
}
