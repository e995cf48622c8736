import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ERROR_CATALOG } from '../../../src/cli/catalog.js';
import { InvalidPropError, ProductReviewsConfigurationError } from '../../../src/errors.js';

const PACKAGES = join(import.meta.dirname, '../../../..');
const CATALOG = join('integration', 'errors');

/** All codes that the sources of the packages use. */
function usedCodes(): Set<string> {
	const files = ['client', 'webhook', 'integration'].flatMap((name) =>
		readdirSync(join(PACKAGES, name, 'src'), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts') && dirname(join(name, file)) !== CATALOG)
			.map((file) => readFileSync(join(PACKAGES, name, 'src', file), 'utf8')),
	);
	return new Set(files.flatMap((text) => text.match(/\bPR_[A-Z_]+\b/g) ?? []));
}

test('every code that a message may have is in the documentation, and no other', () => {
	expect([...usedCodes()].sort()).toEqual(Object.keys(ERROR_CATALOG).sort());
});

test('a message has its code, and a hint that ends with the command that explains the code', () => {
	const error = new ProductReviewsConfigurationError('PR_NOT_CONFIGURED', 'Not set.', 'Set it.');
	const hint = 'Set it.\nPR_NOT_CONFIGURED: npx astro-product-reviews explain PR_NOT_CONFIGURED';
	expect(error).toMatchObject({ code: 'PR_NOT_CONFIGURED', message: 'Not set.', hint });
	const invalid = new InvalidPropError('Expected a number.');
	expect(invalid).toBeInstanceOf(TypeError);
	expect(invalid.hint).toMatch(/^\S.*\nPR_INVALID_PROP: npx .* explain PR_INVALID_PROP$/);
});
