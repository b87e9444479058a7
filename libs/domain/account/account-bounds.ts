// The bounds of accounts: how many a workspace can have, and what each can hold.

/** Of a workspace. Each runtime process keeps all accounts in memory, sealed: with the size below 16 MiB at most. */
export const accountsMax = 1_000;
/** Size of the credentials as JSON text: twice that of the longest private key, or of a cloud's key file. */
export const credentialsBytesMax = 16 * 1024;
/** A run's console is searched for each value: a longer list would be masked whole. */
export const credentialFieldsMax = 50;
/** The pattern of a field's name. */
export const fieldName = /^[A-Za-z_][A-Za-z0-9_.-]{0,99}$/;
/** The pattern of an app's slug, as in `app` of an app prop, such as `google_drive`. */
export const appSlug = /^[a-z0-9][a-z0-9_-]{0,99}$/;
export const accountNameCharsMax = 200;
