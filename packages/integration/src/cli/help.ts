/** Text of `--help`. */
export const HELP = `Looks inside the store of astro-product-reviews, and marks products as changed.

Usage: product-reviews <command> [options]

  store ls                 Every stored product: state, age, compressed size
  store show <pid>         Everything that is kept of a product
  store rm <pid>...        Forgets products: the next build fetches them
  store vacuum             Makes the file as small as it can be
  invalidate <pid>...      Marks products as changed: the next build asks the
                           service for them again, and has what is stored as
                           long as the service fails; a running astro dev asks
                           on the next visit; - reads ids from standard input,
                           one a line
  invalidate --all         The same for every stored product: where many have
                           lost all reviews, the next build believes it
  report                   Which build wrote the last report, and where it is

  --json                   For programs: of ls, show, invalidate and report
  --limit <number>         Products that ls prints (default: all)

  --root <folder>          The Astro project (default: the working directory)
  --cache-dir <folder>     The integration's option cacheDir, from the root
                           (default node_modules/.astro/product-reviews)
  --store <file>           The store's file itself, instead of both

  --version                Version of this package
  --help, -h               This text

An id that starts with a dash comes after --: product-reviews store show -- -7
`;
