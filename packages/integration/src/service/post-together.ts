/**
 * Returns a function that posts messages to another thread. Those of one turn are posted together, because waking the
 * other thread costs more than most messages.
 * @param defer runs a task when the turn is over.
 */
export function postTogether<Message>(
	post: (messages: readonly Message[]) => void,
	defer: (task: () => void) => void,
): (message: Message) => void {
	let waiting: Message[] = [];
	return (message) => {
		if (waiting.push(message) > 1) return;
		defer(() => {
			const messages = waiting;
			waiting = [];
			post(messages);
		});
	};
}
