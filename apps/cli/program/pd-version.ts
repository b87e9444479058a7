// The version of `pd`.

/** Inserted by the build (deploy/local/bundle-cli.mjs); undefined in unbuilt code. */
declare const PD_VERSION: string | undefined;

export const version: string = typeof PD_VERSION === 'string' ? PD_VERSION : '0.0.0-source';
