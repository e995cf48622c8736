import type { Frame } from './frame.js';

/** Gradients and filters that every photo uses. */
export function lensDefinitions({ random }: Frame): string {
	const [x, y] = [random.chance(0.5) ? 0.12 : 0.88, random.next() * 0.35];
	return (
		'<defs>' +
		// Replaces the hard side shadow of the illustrations: photos have soft shadows.
		'<linearGradient id="side"><stop offset="0" stop-color="#fff" stop-opacity=".26"/>' +
		'<stop offset=".38" stop-color="#fff" stop-opacity="0"/><stop offset=".55" stop-opacity=".05"/>' +
		'<stop offset="1" stop-opacity=".46"/></linearGradient>' +
		'<linearGradient id="depth" x2="0" y2="1"><stop offset="0" stop-opacity=".42"/><stop offset=".35" stop-opacity="0"/>' +
		'<stop offset="1" stop-color="#fff" stop-opacity=".1"/></linearGradient>' +
		`<radialGradient id="sun" cx="${x}" cy="${y}" r="1"><stop offset="0" stop-color="#fff6dd" stop-opacity=".62"/>` +
		'<stop offset=".6" stop-color="#fff6dd" stop-opacity="0"/></radialGradient>' +
		'<radialGradient id="corners" r=".78"><stop offset=".55" stop-opacity="0"/><stop offset="1" stop-opacity=".5"/></radialGradient>' +
		`<filter id="far"><feGaussianBlur stdDeviation="${random.between(9, 17)}"/></filter>` +
		'<filter id="near" x="-1" y="-1" width="3" height="3"><feGaussianBlur stdDeviation="16"/></filter>' +
		'<filter id="noise" x="0" y="0" width="1" height="1"><feTurbulence type="fractalNoise" baseFrequency=".7" numOctaves="2"/>' +
		'<feColorMatrix type="saturate" values="0"/></filter>' +
		'</defs>'
	);
}

/** Light, tone, vignette and sensor noise, drawn over everything else. */
export function lensEffects({ width, height, random }: Frame): string {
	const cover = (attributes: string) => `<rect width="${width}" height="${height}" ${attributes}/>`;
	const tone = random.pick(['#ff9d3c', '#ffb978', '#3c86ff', '#7a6cff', '#ffd9a0']);
	return (
		cover('fill="url(#sun)"') +
		cover(`fill="${tone}" opacity="${0.1 + random.next() * 0.12}" style="mix-blend-mode:soft-light"`) +
		cover('fill="url(#corners)"') +
		cover('filter="url(#noise)" opacity=".16" style="mix-blend-mode:overlay"')
	);
}
