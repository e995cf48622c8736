import { test } from 'vitest';
import { STRINGS } from '../../support/corpora.js';
import { PLACES } from '../../support/unit/fields.js';
import { ANSWERS, expectAllSound } from '../../support/unit/fuzz-payload.js';
import { expectHarmlessIn } from '../../support/unit/harmless.js';

// The same as in hostile.test.ts with every string of the corpora, and with many more answers.

test.each(PLACES)('every hostile text as it came, and escaped, is harmless as $name', (place) => {
	expectHarmlessIn(place, STRINGS);
});

test.each(ANSWERS)('%s are read and written without a difference, or refused', (_kind, payload, share) => {
	expectAllSound(payload, share, 5_000);
});
