/** An SVG document as a static endpoint answers it. */
export function svgResponse(svg: string): Response {
	return new Response(svg, { headers: { 'Content-Type': 'image/svg+xml' } });
}
