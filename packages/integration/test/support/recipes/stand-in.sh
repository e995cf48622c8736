#!/usr/bin/env bash
# Stands in for a program that reaches the network or a host: `recipes.test.ts` links it by the names of these programs into the
# first folder of PATH. It fails where the program would, as far as its arguments say, and runs our own commands.
set -euo pipefail
name=${0##*/}
fail() { echo "$name: $1" >&2; exit 64; }
need() { [ -n "${!1:-}" ] || fail "$1 is not set"; }
is_file() { [ -f "$1" ] || fail "there is no file $1 in $PWD"; }
is_folder() { [ -d "$1" ] && [ -n "$(ls -A "$1")" ] || fail "$1 in $PWD is no folder with files"; }
script_of() { node -p 'JSON.parse(fs.readFileSync(process.argv[1])).scripts[process.argv[2]] ?? ""' "$1/package.json" "$2"; }
called() { echo "$name $*" >>"$MACHINE/calls"; }

# Adds an option that the command line does not have.
program() {
	local option=$1 value=$2
	shift 2
	[[ " $* " == *" $option "* ]] || set -- "$@" "$option" "$value"
	exec node "$@"
}

run_script() {
	local script=
	[ ! -f package.json ] || script=$(script_of . "$1")
	if [ -n "$script" ]; then
		# A store has its own programs.
		exec bash -c "$(sed -E 's/^astro /npx astro /' <<<"$script")"
	fi
	# A script of the repository: the tests of the project "stores" run it.
	script=$(script_of "$WORKSPACE" "$1")
	[ -n "$script" ] || fail "there is no script $1"
	for file in $(grep -oE '(scripts|bench)/[a-z-]+\.mjs' <<<"$script"); do is_file "$WORKSPACE/$file"; done
	cd "$MACHINE/clone"
	[ "$1" != add ] || { is_file "$3/package.json" && mkdir -p "$3/product-reviews"; }
}

install() {
	[ $# -gt 0 ] || set -- $(node -p 'Object.keys(JSON.parse(fs.readFileSync("package.json")).dependencies).join(" ")')
	for package in "$@"; do
		[[ $package == -* ]] || is_folder "$WORKSPACE/node_modules/$package"
	done
}

# A Dockerfile, as far as files and commands go: the image is a folder, and its user is this one.
build_image() {
	local file context=$MACHINE/context image=$MACHINE/image pattern instruction rest
	is_file Dockerfile
	mkdir -p .product-reviews && touch .env.local
	cp -R . "$context"
	while read -r pattern; do rm -rf "$context"/$pattern; done <.dockerignore
	for file in node_modules .env .env.local .product-reviews .cache dist; do
		[ ! -e "$context/$file" ] || fail "$file would be in the image"
	done
	if grep -rlF "$SECRET" "$context"; then fail 'a secret is in the image'; fi
	mkdir -p "$image/srv/shop" "$image/data"
	while read -r instruction rest; do
		cd "$image/srv/shop"
		case $instruction in
		COPY) (cd "$context" && cp -R ${rest% *} "$image/srv/shop/${rest##* }") || fail "COPY $rest" ;;
		RUN) eval "$(sed -E "s#(/data|/srv/shop)\\b#$image\\1#g; s/chown [^&]*/true/" <<<"$rest")" || fail "RUN $rest" ;;
		CMD) echo "$rest" >"$image/command" ;;
		FROM | WORKDIR | VOLUME | USER | EXPOSE) ;;
		*) fail "$instruction $rest" ;;
		esac
	done <"$context/Dockerfile"
}

run_image() {
	local image=$MACHINE/image
	while [ $# -gt 1 ]; do
		case $1 in
		--env-file) is_file "$2" && set -a && . "$2" && set +a && shift ;;
		-p | -v) [[ $2 == *:* ]] || fail "$1 $2"; shift ;;
		-d) ;;
		*) fail "unknown: $1" ;;
		esac
		shift
	done
	cd "$image/srv/shop"
	exec sh -c "$(sed "s#/data/#$image/data/#g" "$image/command" | node -p 'JSON.parse(fs.readFileSync(0))[2]')"
}

called "$@"
case "$name $*" in
'npx astro build'* | 'npx astro-product-reviews '*) exec node "$ASK" "$@" ;;
'npx astro '*) shift; program --port "$SITE_PORT" "$WORKSPACE/node_modules/astro/bin/astro.mjs" "$@" ;;
'npx product-reviews-sandbox'*) shift; program --port "$SANDBOX_PORT" "$WORKSPACE/packages/sandbox/dist/cli.js" "$@" ;;
'npx product-reviews-webhook '*)
	shift
	[[ $* == *--immediate* || $* == *--debounce* ]] || set -- "$@" --debounce 10ms
	program --port "$RECEIVER_PORT" "$WORKSPACE/packages/webhook/dist/cli.js" "$@" ;;
'npx vitest run '*) is_folder "$3" ;;
'npx playwright install '*) ;;
'npx playwright test') is_file playwright.config.ts ;;
'npx wrangler '*) shift; exec wrangler "$@" ;;
'wrangler secret put '*) is_file wrangler.jsonc; [[ $3 =~ ^[A-Z_]+$ ]] || fail "$3"; touch "$MACHINE/secret-$3" ;;
'wrangler deploy')
	is_file wrangler.jsonc
	main=$(node -p 'JSON.parse(fs.readFileSync("wrangler.jsonc")).main ?? ""')
	[ -z "$main" ] || "$WORKSPACE/node_modules/.bin/esbuild" "$main" --bundle --format=esm --conditions=workerd,worker,browser \
		'--external:cloudflare:*' --log-level=error --outfile="$MACHINE/worker.js"
	[ -n "$main" ] || is_folder "$(node -p 'JSON.parse(fs.readFileSync("wrangler.jsonc")).assets.directory')"
	for secret in $({ grep -ohE 'env\.[A-Z_]+' "$main" || true; } | cut -c5-); do
		[ -e "$MACHINE/secret-$secret" ] || fail "the Worker has no $secret"
	done ;;
'wrangler pages deploy '*) is_folder "$3" ;;
'npx netlify-cli deploy --prod --no-build --dir '*) is_folder "$6" ;;
'aws s3 '*' s3://'*)
	need AWS_ACCESS_KEY_ID; need AWS_SECRET_ACCESS_KEY; need AWS_REGION
	case $2 in cp) is_file "$3" ;; sync) is_folder "$3" ;; *) fail "unknown: $2" ;; esac
	cat >/dev/null ;;
'rsync '*--files-from=-*)
	while read -r file; do is_file "${*: -2:1}$file"; done ;;
'git clone '*)
	mkdir -p "$3"
	cd "$MACHINE/my-store" # What its .gitignore leaves.
	tar --exclude-from=<(sed 's#/$##' .gitignore) -cf - . | tar -C "$3" -xf - ;;
'docker build -t shop .') build_image ;;
'docker run '*' shop') shift; run_image "$@" ;;
'npm ci') is_file package-lock.json; rm -rf node_modules; mkdir node_modules ;;
'npm install'*) shift; is_file package.json; install "$@" ;;
'npm create astro@latest '*)
	mkdir -p "$3/src/pages" "$3/node_modules"
	echo '{ "type": "module", "scripts": { "dev": "astro dev", "build": "astro build", "preview": "astro preview" } }' >"$3/package.json"
	printf 'dist/\n.astro/\nnode_modules/\n.env\n' >"$3/.gitignore"
	echo '<h1>Astro</h1>' >"$3/src/pages/index.astro"
	echo '{}' >"$3/package-lock.json"
	echo 'export default {};' >"$3/astro.config.mjs" ;;
'npm run '*) shift; run_script "$@" ;;
'npm test'*) ;;
'pnpm astro build' | 'yarn astro build') is_file astro.config.mjs ;;
*) fail "a command line that this stand-in does not know: $name $*" ;;
esac
