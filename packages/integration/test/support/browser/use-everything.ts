/**
 * Runs in a page: points at, clicks and focuses everything in it, as a visitor could at the most.
 * @returns the page as it was before, how many elements were used, the protocols of links that a visitor must not
 * follow, the size of each hidden block, and how many pixels the page is wider than its window.
 */
export function useEverything() {
	// Only what happens before the browser follows a link is of interest; leaving would end the test.
	addEventListener('click', (event) => {
		if (event.target instanceof Element && event.target.closest('a')) event.preventDefault();
	});
	const markup = `<!DOCTYPE html>${document.documentElement.outerHTML}`;
	const blocks = [...document.querySelectorAll('[data-display="hidden"]')].map((block) => {
		const { width, height } = block.getBoundingClientRect();
		return { width, height, clip: getComputedStyle(block).clipPath };
	});
	const elements = [...document.querySelectorAll<HTMLElement>('body *')];
	for (const element of elements) {
		for (const type of ['pointerover', 'mouseover', 'mouseenter', 'mousemove', 'mousedown', 'mouseup']) {
			element.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true }));
		}
		element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
		element.focus();
		element.click();
	}
	return {
		markup,
		used: elements.length,
		protocols: [...document.links].map(({ protocol }) => protocol).filter((name) => !/^https?:$/.test(name)),
		blocks,
		width: document.documentElement.scrollWidth - document.documentElement.clientWidth,
	};
}
