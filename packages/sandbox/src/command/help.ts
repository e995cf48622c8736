/** Text of `--help`. */
export const HELP = `A hosted product-review service on your own machine.

Usage: product-reviews-sandbox [options]

  --port <number>        Port to listen on; 0 takes any free one (default 4400)
  --host <address>       Address to listen on (default 127.0.0.1)
  --data <file>          SQLite file that keeps the data; seeded once, when it is new (default: memory)
  --seed <number|none>   Number that the reviews are made from; none starts empty (default 1001)
  --token <token>        Access token of operations 1 and 2 (default sandbox-token)
  --wsid <id>            Website id (default W-1001)
  --latency <ms>         Milliseconds that each operation waits (default 0)
  --product-url <url>    Address of a product page, with {pid} in it
                         (default https://shop.example/products/{pid}/)
  --public-url <url>     Address at which browsers reach the sandbox, for pictures and videos
                         (default: the one that a request was sent to)
  --webhook <url>        Address on this machine that is told of every edit; may be given several times
  --webhook-secret <secret>
                         whsec_ and the base64 of 24 to 64 bytes, for all of these (default: made up and printed)
  --allow-remote-webhooks
                         Lets webhooks go to other machines
  --help                 This text
`;
