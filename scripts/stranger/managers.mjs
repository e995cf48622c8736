import { missingPackages } from './missing-packages.mjs';

/**
 * How each package manager installs a project whose own dependencies are tarballs. Ours depend on each other by version and
 * are not in the registry, so the tarballs replace these as well.
 */
export const MANAGERS = {
	npm: {
		manifest: (tarballs) => ({ overrides: tarballs }),
		files: {},
		command: ['npm'],
		install: ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'],
	},
	pnpm: {
		manifest: (tarballs) => ({ pnpm: { overrides: tarballs } }),
		files: {},
		command: ['npx', '--yes', 'pnpm@10'],
		install: ['install', '--prefer-offline', '--reporter=silent'],
	},
	yarn: {
		manifest: (tarballs, folder) => ({
			resolutions: {
				...Object.fromEntries(missingPackages().map((name) => [name, `file:${folder}/nothing`])),
				...tarballs,
			},
		}),
		files: {
			'nothing/package.json': '{ "name": "nothing", "version": "0.0.0" }',
			// Plug'n'Play has no node_modules, where Astro and Vite look for packages.
			'.yarnrc.yml': 'nodeLinker: node-modules\nenableTelemetry: false\nenableImmutableInstalls: false\n',
		},
		command: ['npx', '--yes', '@yarnpkg/cli-dist@4'],
		install: ['install'],
	},
};
