/** Markup, references and pieces of the service's own html and JSON that a parser may treat in a way of its own. */
export const FRAGMENTS: readonly string[] = [
	...`< > & " ' = / \\ { } [ ] , :`.split(' '),
	...[' ', '\r', '\n', '\t', '\f', '\0', ' id="x"', ' onclick="x"', ' onclick=x '],
	...'&amp; &lt; &gt; &quot; &apos; &#39; &#x27; &#34; &#60; &#x3c; &#X3C; &#0; &#13; &#128; &#xd800;'.split(
		' ',
	),
	...'&amp &amp= &lt &quot &apos &#39 &#x27 &not &notin; &AMP; &copy'.split(' '),
	...'<!-- --> <! <? </ <![CDATA[ ]]> <br> <p> </p> <b> </b> <a> </a> <div> </div> <h2> </h2>'.split(' '),
	...'<style> </style> </style/x> <script> </script> <title> </title> <textarea> <noscript> <iframe> <xmp> <plaintext>'.split(
		' ',
	),
	...'<table> <tr> <td> <form> <li> <nobr> <select> <option> <template> <object> <input> <image> <frameset>'.split(
		' ',
	),
	...'<svg> <math> <mi> <desc> <foreignObject> </svg> </math>'.split(' '),
	...['<font a>', '<body a>', '<html a>', '<h2>x</h2>'],
	...'class="review-item" class="review-body" review- data-id=" __proto__ \\u003c \\ud800 1e999'.split(' '),
	...['<div class="review-item">', '<div class="review-date">', '<a class="review-product-link" href="'],
	...[
		'<div class="review-item"></div>',
		'<div class="review-body">x</div>',
		'<div class="review-title">&lt;</div>',
	],
];

/** Characters that a page or a script must not hold, or that change how others are shown. */
export const CHARACTERS: readonly string[] = [
	...['\u0000', '\u0001', '\u001b[31m', '\u007f', '\u0085', '\u009b', '\ufdd0', '\uffff', '\u{1fffe}'],
	...['\ud800', '\udfff', '\u00a0', '\u00ad', '\u200b', '\u200e', '\u202e', '\u2028', '\u2029', '\u2060'],
	...['\u2066', '\u3000', '\ufeff', '\u0130', '…', 'ﷺ', 'e\u0301', 'z\u0336\u0337\u0338'],
	...['👩‍👩‍👧', 'שלום', 'مرحبا'],
];
