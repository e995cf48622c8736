export const HELP = `product-reviews-webhook: receives review webhooks and has the site rebuilt

Usage
  product-reviews-webhook --run "npm run build"
  product-reviews-webhook --deploy-hook-env DEPLOY_HOOK_URL
  product-reviews-webhook --github owner/name

Secrets are read from the environment; the options name the variables.
  --secret-env NAME       secret of signed webhooks  [REVIEWS_WEBHOOK_SECRET]
                          several, while keys change: with spaces between them
  --key-header NAME       for a sender that cannot sign: header of a fixed key
  --key-env NAME          ... and the key            [REVIEWS_WEBHOOK_KEY]

How to rebuild: one of
  --run COMMAND           a command line; REVIEWS_CHANGED says what changed;
                          the secrets above are not in its environment
  --deploy-hook-env NAME  address of a host's deploy hook
  --github OWNER/NAME     repository_dispatch of a repository
  --github-token-env NAME ... with this token        [GITHUB_DISPATCH_TOKEN]

When
  --quiet TIME            time without another event before it    [30s]
  --at-most TIME          longest wait of the first event         [5m]
  --timeout TIME          longest time of a command               [30m]

Where
  --port NUMBER           0 takes any free port                   [4500]
  --host ADDRESS                                                  [127.0.0.1]
  --path PATH             path of the events                      [/]
  --data FILE             changes that wait  [.product-reviews/changes.db]
  --redis-env NAME        ... in Redis instead, for several receivers:
                          redis://..., needs npm install bullmq ioredis
  --cwd FOLDER            folder of the command  [the working directory]

  --help, --version
`;
