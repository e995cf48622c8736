/** Prefixes of GTIN-13 that are not for products in general trade: restricted circulation (02, 04, 2) and coupons (05, 981-984, 99). */
const RESTRICTED = /^(?:0[245]|2|98[1-4]|99)/;

/** Those of GTIN-8. */
const RESTRICTED_SHORT = /^[02]/;

/**
 * Returns whether a text is a GTIN that a product in general trade can have: of 8, 12, 13 or 14 digits, with the right check
 * digit. Spaces and hyphens are ignored.
 * @see https://support.google.com/merchants/answer/6324461
 * @see https://www.gs1.org/services/how-calculate-check-digit-manually
 * @example isUsableGtin('4006381333931') // true
 */
export function isUsableGtin(text: string): boolean {
	const digits = text.replace(/[\s-]/g, '');
	if (!/^(?:\d{8}|\d{12,14})$/.test(digits) || /^0+$/.test(digits)) return false;
	const all = digits.padStart(14, '0');
	const sum = [...all].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
	const isRestricted = digits.length === 8 ? RESTRICTED_SHORT.test(digits) : RESTRICTED.test(all.slice(1));
	return sum % 10 === 0 && !isRestricted;
}
