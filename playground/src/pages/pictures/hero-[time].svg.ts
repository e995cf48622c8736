import type { APIRoute, GetStaticPaths } from 'astro';
import { drawHero } from '../../illustration/hero.ts';
import { svgResponse } from '../../illustration/svg-response.ts';

type Time = 'day' | 'night';

export const getStaticPaths = (() =>
	(['day', 'night'] satisfies Time[]).map((time) => ({
		params: { time },
		props: { time },
	}))) satisfies GetStaticPaths;

export const GET: APIRoute<{ time: Time }> = ({ props }) => svgResponse(drawHero(props.time));
