import { type FieldReader, fieldsOf } from './field-reader.js';
import type { ProductQuestion } from './review-data.js';

/** Reads one question and its answer; `undefined` if there is no question text. */
export function readQuestion(value: unknown, key: string, read: FieldReader): ProductQuestion | undefined {
	const fields = fieldsOf(value);
	const question = read.text(fields['question']);
	if (question === undefined) return undefined;
	return {
		key,
		question,
		answer: read.text(fields['answer']),
		author: read.personal(fields['author']),
		askedOn: read.date(fields['askedOn']),
		answeredOn: read.date(fields['answeredOn']),
	};
}
