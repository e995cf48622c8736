/** The stylesheet of a report's page. Its hash is in the page's policy, so styles in attributes have no effect. */
export const STYLE = `
:root {
	color-scheme: light dark;
	--page: #fff;
	--text: #1c2024;
	--muted: #5b6470;
	--line: #d9dde2;
	--surface: #f5f6f8;
	--accent: #0b5cad;
	--bar: #3b7fc4;
	--good: #1a7438;
	--fetched: #2f8f4e;
	--unchanged: #3b7fc4;
	--missing: #7b8490;
	--stale: #b07400;
	--failed: #c8352b;
	--unreadable: #8e44ad;
}
@media (prefers-color-scheme: dark) {
	:root {
		--page: #14171a;
		--text: #e6e9ec;
		--muted: #a3acb6;
		--line: #353b42;
		--surface: #1e2226;
		--accent: #7db8f5;
		--bar: #5b9bdb;
		--good: #63c583;
		--fetched: #52b774;
		--unchanged: #5b9bdb;
		--missing: #8d96a1;
		--stale: #d99a26;
		--failed: #f0695f;
		--unreadable: #bd83d6;
	}
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.25; }
h2 { margin: 2.5rem 0 0.75rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: 1.25rem; }
h3 { margin: 1.5rem 0 0.25rem; font-size: 1rem; }
p { margin: 0.25rem 0 0.75rem; }
a { color: var(--accent); }
small { display: block; color: var(--muted); font-size: 0.85rem; font-weight: normal; }
.muted, .more { color: var(--muted); }
.good { color: var(--good); font-weight: 600; }
ul { margin: 0; padding: 0; list-style: none; }
.attention { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.attention a { display: block; padding: 0.25rem 0.75rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--surface); }
.cards { display: grid; gap: 0.5rem; }
.cards > li { padding: 0.5rem 0.75rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--surface); }
.cards p { margin: 0.15rem 0 0; }
.lines > li { padding: 0.15rem 0; }
.ids { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
.tag { padding: 0 0.4rem; border: 1px solid var(--line); border-radius: 0.3rem; color: var(--muted); font-size: 0.85rem; }
table { width: 100%; border-collapse: collapse; margin: 0 0 1rem; }
caption { padding: 0.75rem 0 0.25rem; font-weight: 600; text-align: start; }
th, td { padding: 0.35rem 0.75rem 0.35rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
thead th, thead td { color: var(--muted); font-size: 0.85rem; font-weight: 600; }
tbody th { font-weight: 600; }
tr > :last-child { padding-right: 0; }
.number { text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; }
.chart th { width: 8.5rem; font-weight: normal; }
.chart .number { width: 5rem; }
.pages { table-layout: fixed; }
.pages th:first-child { width: 30%; }
.pages th.number { width: 4rem; }
svg { display: block; width: 100%; }
.bar { height: 0.9rem; margin: 0.3rem 0; fill: var(--bar); }
.shares { height: 1rem; margin-bottom: 0.75rem; border-radius: 0.25rem; }
.dot { display: inline-block; width: 0.75em; height: 0.75em; margin-right: 0.5em; border-radius: 50%; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: 0.75rem; margin: 0; }
dl div { padding: 0.5rem 0.75rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--surface); }
dt { color: var(--muted); font-size: 0.85rem; }
dd { margin: 0; font-weight: 600; font-variant-numeric: tabular-nums; }
${['fetched', 'unchanged', 'missing', 'stale', 'failed', 'unreadable']
	.map((status) => `.${status} { fill: var(--${status}); background: var(--${status}); }`)
	.join('\n')}
@media (forced-colors: active) {
	.bar { fill: CanvasText; }
	.dot, .shares { forced-color-adjust: none; }
}
@media print {
	h2, h3 { break-after: avoid; }
}
`;
