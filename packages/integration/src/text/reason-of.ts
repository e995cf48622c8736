/** Why a file could not be used. The file system's own messages hold whole paths, which are not for a log; its codes do not. */
export function reasonOf(error: unknown): string {
	const { code, syscall, message } = error as NodeJS.ErrnoException;
	return syscall === undefined ? message : `${syscall} failed with ${code}`;
}
