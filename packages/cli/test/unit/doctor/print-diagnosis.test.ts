import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { diagnose } from '../../../src/doctor/diagnose.js';
import { printDiagnosis } from '../../../src/doctor/print-diagnosis.js';
import { answered, SERVICE, soundFacts } from '../../support/facts.js';

const troubled = () => {
	const facts = soundFacts({ display: 'hidden', webhook: {} });
	const operations = { ...SERVICE.operations, crawlerReviews: answered(0) };
	return diagnose({ ...facts, service: { ...SERVICE, operations } });
};

test('fits into 80 columns', () => {
	const lines = printDiagnosis(troubled(), false).split('\n');
	expect(lines.filter((line) => line.length > 80)).toEqual([]);
	expect(lines.filter((line) => line !== line.trimEnd())).toEqual([]);
});

test('has colours only where they are shown, and the same text', () => {
	const plain = printDiagnosis(troubled(), false);
	const coloured = printDiagnosis(troubled(), true);
	expect(plain).toBe(stripVTControlCharacters(plain));
	expect(coloured).not.toBe(plain);
	expect(stripVTControlCharacters(coloured)).toBe(plain);
});

test('ends with the verdict and numbered steps', () => {
	const printed = printDiagnosis(troubled(), false);
	expect(printed).toMatch(/\nFound 2 problems and 3 warnings\.\n\nNext steps\n {2}1\. /);
	expect(printDiagnosis(diagnose(soundFacts()), false)).toMatch(/\nEverything is in order\.\n$/);
});

test('shows nothing of a reason that moves the cursor', () => {
	const facts = soundFacts();
	const found = diagnose({
		...facts,
		list: { state: 'failed', trouble: { code: 'PR_PRODUCT_LIST_EMPTY', reason: 'odd \u001b[2J\u0007 text' } },
	});
	expect(printDiagnosis(found, false)).toContain('odd text');
});
