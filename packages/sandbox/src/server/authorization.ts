/** Result of checking a request's token. */
export type Authorization = 'none' | 'accepted' | 'refused';
