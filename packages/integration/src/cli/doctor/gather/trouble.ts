import type { ErrorCode } from '../../../errors/catalogue.js';
import { ProductReviewsError } from '../../../errors.js';
import { describeCause } from '../../../failures/describe-failure.js';
import { codeOf } from '../../../failures/policy.js';
import type { Trouble } from '../facts.js';

/**
 * An error as a fact. A hint loses its last line, which names the code.
 * @param fallback the code of an error that has none.
 */
export function troubleOf(error: unknown, fallback: ErrorCode): Trouble {
	const reason = describeCause(error);
	if (!(error instanceof Error && 'hint' in error && typeof error.hint === 'string')) {
		const code = codeOf(error);
		return { code: code === 'PR_SERVICE_FAILED' ? fallback : code, reason };
	}
	// A hint may be a list, and ends with the code.
	const next = error.hint
		.split('\n')
		.filter((line) => !CODE.test(line))
		.map((line) => line.replace(/^- /, ''))
		.join(' ');
	const code = error instanceof ProductReviewsError ? error.code : ownCode(error);
	return { code: code ?? fallback, reason, next };
}

const CODE = /^PR_[A-Z_]+: /;

/** The configuration may have loaded another copy of this package, whose classes are others. */
function ownCode(error: object): ErrorCode | undefined {
	const code = 'code' in error ? String(error.code) : '';
	return code.startsWith('PR_') ? (code as ErrorCode) : undefined;
}
