/** Text of `--help`. */
export const HELP = `Says why a site with astro-product-reviews shows no reviews or old ones,
publishes new reviews into the pages of its last build, joins builds of
shards, refreshes and inspects its store, and marks products as changed.

Usage: astro-product-reviews <command> [options]

  doctor                   Checks versions, configuration, service, store and
                           the last build, and says what to do; exit code 1 if
                           something is wrong
    --product <pid>        Looks at this product (default: the first of the
                           product list)

  publish [<pid>...]       Asks the service for products, and writes what
                           changed into the pages of the last build; - reads
                           ids from standard input; without ids, takes those
                           of REVIEWS_CHANGED, or else those that are marked
  publish --all            The same for every product that pages show
    --then <command>       Runs a command with the changed files, one per
                           line, on its standard input
    --else <command>       Runs a command, such as "npm run build", if pages
                           need a rebuild
    --index-now            Tells search engines by IndexNow which pages
                           changed; the output folder has the key, in a file
                           <key>.txt that contains it; the variable
                           INDEX_NOW_ENDPOINT replaces the service's address
    --dry-run              Only says what would change

  refresh [<pid>...]       Brings the store up to date without a build: asks the
                           service for products whose ratings moved or that
                           are too old, and always for those given; - reads ids
                           from standard input
  refresh --all            Asks for every product of the list
    --redis <url>          Shares the work with all workers that are started
                           with the same command line, through a Redis; needs
                           npm install bullmq ioredis
    --redis-env <name>     The same; names the variable with the URL, which
                           keeps a password out of the command line

  merge <folder>...        Joins what the builds of all shards of a site wrote:
                           output, store and report; each folder has them in
                           the same places as the project
    --out <folder>         Folder of the whole site (default: the project)
    --dry-run              Only checks whether the shards fit together

  store ls                 Every stored product: state, age, compressed size
  store show <pid>         Everything stored of a product
  store rm <pid>...        Deletes products: the next build fetches them
  store vacuum             Shrinks the file
  store push <file|url>    Writes all stored reviews as a snapshot to a file, or
                           with PUT to a URL, such as a presigned one of S3;
                           builds may write the store meanwhile
  store pull <file|url>    Brings the reviews of this site that are newer in a
                           snapshot into the store, and no others.
                           REVIEWS_SNAPSHOT_AUTHORIZATION is the header
                           Authorization of both, if the server wants one
  invalidate <pid>...      Marks products as changed: the next build asks the
                           service for them again, and uses what is stored if
                           the service fails; a running astro dev asks on the
                           next visit; - reads ids from standard input, one
                           per line
  invalidate --all         The same for every stored product: if many have
                           lost all reviews, the next build believes it
  report                   Which build wrote the last report, and where it is
  report --html [<file>]   Writes it as a page to read in a browser (default:
                           product-reviews-report.html beside it)

  explain <code>           Says what an error code means, and what to do

  --json                   Output for programs: doctor, publish, refresh, merge,
                           ls, show, push, pull, invalidate and report
  --limit <number>         Most products that ls prints (default: all)

  --root <folder>          The Astro project (default: the working directory)
  --config <file>          The Astro configuration, relative to the project, for
                           doctor, refresh, merge and pull
  --mode <mode>            Which .env files these read (default: production)
  --cache-dir <folder>     The integration's option cacheDir, relative to it
                           (default node_modules/.astro/product-reviews)
  --store <file>           The store's file itself, instead of the two above

  --version                Version of this package
  --help, -h               This text

Put an id that starts with a dash after --:
  astro-product-reviews store show -- -7
`;
