/**
 * A resource of the service with every documented field. In the contract, fields may be missing or null, but the sandbox
 * must send all of them.
 */
export type Complete<Resource> = {
	[Key in keyof Resource as string extends Key ? never : Key]-?: NonNullable<Resource[Key]>;
};
