/** The files of Astro's minimal template, written by hand. */
export const TEMPLATE = {
	'astro.config.mjs': `// @ts-check
import { defineConfig } from 'astro/config';

// https://astro.build/config
export default defineConfig({});
`,
	'tsconfig.json': `{
  "extends": "astro/tsconfigs/strict",
  "include": [".astro/types.d.ts", "**/*"],
  "exclude": ["dist"]
}
`,
	'src/pages/index.astro': `---
---

<html lang="en">
	<head>
		<meta charset="utf-8" />
		<title>Astro</title>
	</head>
	<body>
		<h1>Astro</h1>
	</body>
</html>
`,
};

/** The two lines that `astro add` writes, for package managers that cannot ask the registry on this machine. */
export function withIntegration(config) {
	return config
		.replace(
			"import { defineConfig } from 'astro/config';",
			"$&\nimport productReviews from 'astro-product-reviews';",
		)
		.replace('defineConfig({})', 'defineConfig({ integrations: [productReviews()] })');
}

/** Three more on a page. */
export function withReviews(page) {
	return page
		.replace('---\n', "$&import { ProductReviews, ReviewSchema } from 'astro-product-reviews/components';\n")
		.replace('</h1>\n', '$&\t\t<ProductReviews pid="p-1" />\n\t\t<ReviewSchema pid="p-1" />\n');
}
