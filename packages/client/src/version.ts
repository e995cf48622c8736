/** Version of this package, for its `user-agent`. A test compares it with `package.json`. */
export const VERSION = '0.1.0';
