// Where a source's endpoint is.

export const pathPrefix = '/e/';

/** `publicUrl` without a slash at its end gives `<publicUrl>/e/<endpointKey>`. */
export const endpointUrl = (publicUrl: string, endpointKey: string): string =>
  `${publicUrl.replace(/\/+$/, '')}${pathPrefix}${endpointKey}`;
