/** The look of the app. Astro's toolbar is dark, whatever the page is. */
export const STYLE = `
	astro-dev-toolbar-window {
		z-index: 2000000005;
		width: min(600px, 100%);
		max-height: min(560px, calc(100vh - 96px));
		padding: 0;
		overflow: auto;
		font-size: 14px;
		line-height: 1.45;
		overflow-wrap: anywhere;
	}
	.head {
		position: sticky;
		top: 0;
		z-index: 1;
		display: flex;
		flex-wrap: wrap;
		align-items: center;
		gap: 8px 16px;
		padding: 14px 20px;
		border-bottom: 1px solid #343841;
		background: #13151a;
	}
	.head h2 { flex: 1 1 auto; }
	.body { padding: 16px 20px 20px; }
	.sections { display: grid; grid-template-columns: minmax(0, 1fr); gap: 20px; }
	/* It stays in the accessibility tree, so that what it says next is read out. */
	[role="status"]:empty { position: absolute; }
	[role="status"] { margin-bottom: 12px; }
	pre:focus-visible, summary:focus-visible { outline: 2px solid #e0ccfa; outline-offset: 2px; }
	section, .stack { display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; }
	h2, h3, h4, p, ul, dl, dd, pre { margin: 0; padding: 0; }
	h2, h3, h4 { color: #fff; font-weight: 600; line-height: 1.3; }
	h2 { font-size: 18px; }
	h3 { font-size: 15px; }
	h4 { font-size: 14px; flex: 1 1 auto; }
	ul { display: grid; gap: 8px; list-style: none; }
	strong { color: #fff; font-weight: 600; }
	code { font-family: ui-monospace, monospace; font-size: 12px; }
	.row { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 10px; }
	.row > p { flex: 1 1 auto; }
	.rule { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 4px 10px; align-items: start; }
	.note { color: #9fa3b2; font-size: 13px; }
	.switch { display: flex; align-items: center; gap: 8px; cursor: pointer; }
	summary { cursor: pointer; color: #fff; }
	details[open] > summary { margin-bottom: 8px; }
	pre {
		max-height: 240px;
		padding: 10px;
		overflow: auto;
		border: 1px solid #343841;
		border-radius: 6px;
		white-space: pre-wrap;
		font: 12px/1.45 ui-monospace, monospace;
	}
	.spoken {
		position: absolute;
		width: 1px;
		height: 1px;
		overflow: hidden;
		clip-path: inset(50%);
		white-space: nowrap;
	}
	/* Only an outline: what it is around stays as it is. */
	astro-dev-toolbar-highlight {
		z-index: 2000000000;
		box-sizing: border-box;
		border-width: 2px;
		background: none;
		pointer-events: none;
	}
	/* Stands out on light and dark pages. */
	astro-dev-toolbar-highlight[highlight-style="purple"] { border-color: #9a5cf5; }
	.outline-name {
		position: absolute;
		z-index: 2000000001;
		padding: 1px 6px;
		border-radius: 4px;
		background: #13151a;
		color: #fff;
		font: 12px/1.5 ui-monospace, monospace;
		pointer-events: none;
		white-space: nowrap;
	}
	.outline-name[data-is-hidden] { background: #4d3305; color: #f9e9c4; }
`;
