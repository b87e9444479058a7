// What an account may hold.

/** Every runtime process holds all accounts in memory, sealed: with the bytes below at most 16 MiB a workspace. */
export const accountsMax = 1_000;
/** Of the credentials as JSON text: twice the longest private key, or a cloud's key file. */
export const credentialsBytesMax = 16 * 1024;
/** A run's console is searched for each value: a longer list would be masked whole. */
export const credentialFieldsMax = 50;
/** A field's name. */
export const fieldName = /^[A-Za-z_][A-Za-z0-9_.-]{0,99}$/;
/** As in `app` of an app prop, such as `google_drive`. */
export const appSlug = /^[a-z0-9][a-z0-9_-]{0,99}$/;
export const accountNameCharsMax = 200;
