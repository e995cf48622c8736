import { test } from 'vitest';
import { STRINGS, usually } from '../../support/corpora.js';
import { ANSWERS, expectAllSound, expectHarmlessIn, PLACES } from '../../support/unit/hostile.js';

// The same as in hostile.test.ts with a sixtieth of the corpora, or with all of them (`TEST_FULL=1`), and with more answers.
const TEXTS = usually(STRINGS, STRINGS.length / 60);

test.each(PLACES)('a hostile text as it came, and escaped, is harmless as $name', (place) => {
	expectHarmlessIn(place, TEXTS);
});

test.each(ANSWERS)('%s are read and written without a difference, or refused', (_kind, payload, share) => {
	expectAllSound(payload, share, process.env['TEST_FULL'] === '1' ? 2_000 : 250);
});
