// Which version of `pd` this is.

/** Put in by the build (deploy/local/bundle-cli.mjs); unbuilt code has none. */
declare const PD_VERSION: string | undefined;

export const version: string = typeof PD_VERSION === 'string' ? PD_VERSION : '0.0.0-source';
