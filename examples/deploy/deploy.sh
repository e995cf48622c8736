#!/usr/bin/env bash
# Deploys the store with the command in DEPLOY, which uploads the pages. "./deploy.sh build" builds it first. "./deploy.sh
# update" writes changed reviews into the pages of the last build, if that is here and is one of this commit; else it builds.
set -euo pipefail
commit=node_modules/.astro/deployed-commit

build() {
	rm -f "$commit"
	npx astro build
	bash -c "$DEPLOY"
	# Only now: what was not uploaded is built again.
	mkdir -p "${commit%/*}"
	git rev-parse HEAD >"$commit"
}

if [ "$1" = rebuild ]; then
	build
elif [ "$1" = update ] && [ "$(cat "$commit" 2>/dev/null)" = "$(git rev-parse HEAD)" ]; then
	npx astro-product-reviews update --then "$DEPLOY" --else "$0 rebuild"
else
	build
fi
