export const HELP = `product-reviews-webhook: receives review webhooks and rebuilds the site

Usage
  product-reviews-webhook --run "npm run build"
  product-reviews-webhook --run "npx astro-product-reviews publish" --immediate
  product-reviews-webhook --deploy-hook-env DEPLOY_HOOK_URL
  product-reviews-webhook --github owner/name

Secrets are read from the environment; the options name the variables.
  --secret-env NAME       webhook signing secret     [REVIEWS_WEBHOOK_SECRET]
                          for key rotation: several, separated by spaces
  --key-header NAME       for senders that cannot sign: header of a fixed key
  --key-env NAME          ... and the key            [REVIEWS_WEBHOOK_KEY]

How to rebuild: one of
  --run COMMAND           a shell command; gets the changes in REVIEWS_CHANGED;
                          the secrets above are not in its environment
  --deploy-hook-env NAME  URL of a host's deploy hook
  --github OWNER/NAME     repository to send a repository_dispatch to
  --github-token-env NAME ... with this token        [GITHUB_DISPATCH_TOKEN]

Also
  --forward URL           passes each event on, such as to the endpoint of a
                          server that renders pages on demand

When
  --debounce TIME         time without events before a rebuild    [30s]
  --max-wait TIME         longest wait of the first event         [5m]
  --immediate             instead: starts with the first event, for what takes
                          seconds; events meanwhile start one more run. Exit
                          code 3 of COMMAND then means: done, but some pages
                          need a rebuild
  --timeout TIME          time limit of the command               [30m]

Where
  --port NUMBER           0 picks a free port                     [4500]
  --host ADDRESS                                                  [127.0.0.1]
  --path PATH             path of the events                      [/]
  --queue-file FILE       waiting changes  [.product-reviews/changes.db]
  --redis-env NAME        ... in Redis instead, for several receivers:
                          redis://..., needs npm install bullmq ioredis
  --cwd FOLDER            folder of the command  [the working directory]

  --help, --version
`;
