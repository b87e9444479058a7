// Where endpoints are below the server's root; `endpointUrl` of the settings says the same.

export const pathPrefix = '/e/';
