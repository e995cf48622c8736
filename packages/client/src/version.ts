/** Version of this package, as its `user-agent` says it. A test holds it to `package.json`. */
export const VERSION = '0.1.0';
