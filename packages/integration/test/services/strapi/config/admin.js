module.exports = () => ({
	auth: { secret: 'not-a-secret-admin-auth' },
	apiToken: { salt: 'not-a-secret-salt' },
	transfer: { token: { salt: 'not-a-secret-transfer' } },
	secrets: { encryptionKey: 'not-a-secret-encryption-key-0000' },
	serveAdminPanel: false,
	autoOpen: false,
	watchIgnoreFiles: [],
});
