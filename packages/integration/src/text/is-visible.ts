/** Whether something of a text is to be seen: more than white space, marks of format and letters that are drawn as nothing. */
export function isVisible(text: string): boolean {
	return VISIBLE.test(text);
}

// U+2800 is the braille pattern without a dot.
const VISIBLE = /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;
