import type { APIRoute, GetStaticPaths } from 'astro';
import { drawScene } from 'product-reviews-sandbox/illustration';
import { PRODUCTS } from '../../catalog/products.ts';
import type { Product } from '../../catalog/types.ts';
import { svgResponse } from '../../illustration/svg-response.ts';

export const getStaticPaths = (() =>
	PRODUCTS.map((product) => ({ params: { pid: product.pid }, props: { product } }))) satisfies GetStaticPaths;

export const GET: APIRoute<{ product: Product }> = ({ props }) => svgResponse(drawScene(props.product));
