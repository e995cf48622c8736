import { amount } from '../../../text/words.js';

/** Lines for the whole run if the output is not a terminal. */
const LINES_WITHOUT_TERMINAL = 10;

/** How far a run is, and this worker. */
export interface RunProgress {
	/** Products of finished chunks, of all workers. */
	readonly done: number;
	/** `undefined` as long as the product list is being read. */
	readonly total: number | undefined;
	/** Products of this worker. */
	readonly own: number;
}

/** Logs progress when there is any: each time on a terminal, and elsewhere ten times. */
export function createRunProgress(
	isTerminal: boolean,
	log: (line: string) => void,
): (progress: RunProgress) => void {
	let last = '';
	let tenths = 0;
	return ({ done, total, own }) => {
		const line = `${amount(done)}${total === undefined ? '' : `/${amount(total)}`} products by all workers, ${amount(own)} by this one`;
		const reached = total ? Math.floor((done / total) * LINES_WITHOUT_TERMINAL) : 0;
		if (done === 0 || line === last || (!isTerminal && reached <= tenths)) return;
		last = line;
		tenths = reached;
		log(line);
	};
}
