/** Text of `--help`. */
export const HELP = `A hosted product-review service on your own machine.

Usage: product-reviews-sandbox [options]

  --port <number>        Port to listen on; 0 picks a free one (default 4400)
  --host <address>       Address to listen on (default 127.0.0.1)
  --data <file>          SQLite file for the data; seeded once, when it is
                         created (default: in memory)
  --seed <number|none>   Seed that the reviews are generated from; none starts
                         empty (default 1001)
  --token <token>        Access token for operations 1 and 2
                         (default sandbox-token)
  --wsid <id>            Website id (default W-1001)
  --latency <ms>         Delay of each operation, in milliseconds (default 0)
  --product-url <url>    URL of a product page, containing {pid}
                         (default https://shop.example/products/{pid}/)
  --public-url <url>     URL at which browsers reach the sandbox, for pictures
                         and videos (default: that of each request)
  --webhook <url>        URL on this machine that is notified of every edit;
                         may be repeated
  --webhook-secret <secret>
                         whsec_ and the base64 of 24 to 64 bytes, for all
                         webhooks (default: generated and printed)
  --allow-remote-webhooks
                         Allow webhooks to other machines
  --help                 Show this text
`;
