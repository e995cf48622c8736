/**
 * A resource of the service with every documented field in place: the contract lets a reader cope with missing and
 * null fields, the sandbox has to send them all.
 */
export type Complete<Resource> = {
	[Key in keyof Resource as string extends Key ? never : Key]-?: NonNullable<Resource[Key]>;
};
