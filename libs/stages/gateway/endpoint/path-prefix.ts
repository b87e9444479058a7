// The path under which endpoints are, as in the settings' `endpointUrl`.

export const pathPrefix = '/e/';
