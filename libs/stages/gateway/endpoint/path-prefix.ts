// The path under which endpoints are; `endpointUrl` of the settings says the same.

export const pathPrefix = '/e/';
