/** Names of options that hold secrets. */
const SECRET = /pass|secret|token|key|auth|credential|signature|headers|connection/i;

/** Whether the name of an option of a driver says that its value is a secret. */
export function isSecretName(name: string): boolean {
	return SECRET.test(name);
}

/** Options of a driver without those that may contain a secret, and the names of these. */
export function withoutSecrets<Value>(config: Readonly<Record<string, Value>>): {
	readonly config: Readonly<Record<string, Value>>;
	readonly omitted: readonly string[];
} {
	const omitted = Object.keys(config).filter((name) => mayBeSecret(name, config[name]));
	const kept = Object.entries(config).filter(([name]) => !omitted.includes(name));
	return { config: Object.fromEntries(kept), omitted };
}

function mayBeSecret(name: string, value: unknown): boolean {
	if (isSecretName(name)) return true;
	if (typeof value === 'object' && value !== null) {
		return Object.entries(value).some(([inner, part]) => mayBeSecret(inner, part));
	}
	// Addresses contain passwords before an "@", which may contain a slash, and signatures after a "?".
	return typeof value === 'string' && /:\/\/.*[@?]/.test(value);
}
