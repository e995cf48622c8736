/** Style sheet of the page at `/`. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d9ded8, #3a423c); --soft: light-dark(#5a665e, #a9b4ac);
	--accent: light-dark(#23613f, #8fd3a8); --ground: light-dark(#f6f7f4, #161a17); --card: light-dark(#fff, #1e2420) }
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: light-dark(#1c231e, #e8ede9);
	font: 16px/1.5 system-ui, sans-serif }
header, main, footer { max-width: 62rem; margin: 0 auto; padding: 1rem 1.25rem 0 }
main { padding-bottom: 3rem }
main:has(+ footer) { padding-bottom: 0 }
footer { padding: 0 1.25rem 2rem; color: var(--soft); font-size: .9rem }
h1 { margin: 0 0 .5rem; font-size: 1.9rem; line-height: 1.2 }
h2 { font-size: 1.2rem; margin: 0 0 1rem }
h2 small, .kicker { color: var(--soft); font-weight: 400 }
.kicker { margin: 0; font-size: .85rem; letter-spacing: .04em }
a { color: var(--accent) }
section { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem;
	margin-bottom: 1.25rem }
.notice { margin-bottom: 1.25rem; border-left: .25rem solid var(--accent); padding: .5rem 1rem; background: var(--card) }
.notice p { margin: 0 }
.notice ul { margin: .25rem 0 0; padding-left: 1.25rem; font-size: .92rem; overflow-wrap: anywhere; columns: 20rem auto }
form { display: grid; grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr)); gap: 1rem }
label { display: grid; gap: .25rem; font-size: .9rem; color: var(--soft) }
.wide { grid-column: 1 / -1 }
input, select, textarea, button { font: inherit; padding: .5rem .65rem; border: 1px solid var(--line);
	border-radius: .4rem; background: var(--ground); color: light-dark(#1c231e, #e8ede9); width: 100% }
button { background: var(--accent); color: var(--card); border: 0; width: auto; justify-self: start;
	padding-inline: 1.25rem; cursor: pointer }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: .92rem }
th, td { text-align: left; padding: .45rem .6rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere }
th { color: var(--soft); font-weight: 500 }
td:last-child { white-space: nowrap }
.number { text-align: right; font-variant-numeric: tabular-nums }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
`;
