/**
 * Gives a function that posts messages to another thread: those of one turn together, for to wake the other thread costs
 * more than most messages do.
 * @param defer calls what it is given when the turn is over.
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
