/** The response of a static endpoint with an SVG document. */
export function svgResponse(svg: string): Response {
	return new Response(svg, { headers: { 'Content-Type': 'image/svg+xml' } });
}
