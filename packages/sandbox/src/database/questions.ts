import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Question } from '../records.js';

/** The table of questions and the products that they are about. */
export const questions = {
	/** The questions about a product, newest first. */
	list(database: DatabaseSync, pid: string): Question[] {
		const productsOf = database.prepare(
			'SELECT pid FROM question_products WHERE question_id = ? ORDER BY rowid',
		);
		return database
			.prepare(LIST)
			.all(pid)
			.map((row) =>
				toQuestion(
					row,
					productsOf.all(String(row.id)).map((product) => String(product.pid)),
				),
			);
	},

	count(database: DatabaseSync, pid: string): number {
		const row = database.prepare('SELECT COUNT(*) AS count FROM question_products WHERE pid = ?').get(pid);
		return Number(row?.count ?? 0);
	},

	/** Adds a question. */
	put(database: DatabaseSync, question: Question): void {
		const { id, pids, answer, author, askedAt, answeredAt } = question;
		database
			.prepare('INSERT INTO questions VALUES (?, ?, ?, ?, ?, ?)')
			.run(id, question.question, answer, author, askedAt, answeredAt);
		const link = database.prepare('INSERT INTO question_products (pid, question_id) VALUES (?, ?)');
		for (const pid of new Set(pids)) link.run(pid, id);
	},
};

const LIST = `
SELECT questions.* FROM questions JOIN question_products ON question_products.question_id = questions.id
WHERE question_products.pid = ? ORDER BY asked_at DESC, id`;

function toQuestion(row: Record<string, SQLOutputValue>, pids: string[]): Question {
	return {
		id: String(row.id),
		pids,
		question: String(row.question),
		answer: String(row.answer),
		author: String(row.author),
		askedAt: String(row.asked_at),
		answeredAt: row.answered_at === null ? null : String(row.answered_at),
	};
}
