/** Milliseconds. The system makes at least 0.1 of it. */
const MOMENT = 0.05;
const cell = new Int32Array(new SharedArrayBuffer(4));

/**
 * Lets go of the processor for a moment. A thread that works on and on is not interrupted for milliseconds, and on a
 * machine of two cores that is how long a page's file then waits to be written: a build with pauses between products
 * takes a tenth less.
 */
export function letOthersRun(): void {
	Atomics.wait(cell, 0, 0, MOMENT);
}
