// Records about what is published and what is found in the registry: samples of their types.

export const wanted = { app: 'a', key: 'a-k' };
const components = [{ key: 'a-k', type: 'source', name: 'n', description: 'd' }] as const;

export const componentsListed = { sourceId: 'dc_1', revision: 1, components };

export const publishedSamples = {
  ComponentPublished: {
    ...{ componentId: 'sc_1', key: 'k', version: '1.0.0' },
    request: { fingerprint: 'f', requestKey: 'k' },
  },
  ComponentUnpublished: { componentId: 'sc_1', key: 'k' },
  ComponentsFound: { fetchId: 'fetch_1', components },
  ComponentUnpublishRefused: { componentId: 'sc_1', reason: 'not_published', message: 'm' },
  ComponentDeleted: { componentId: 'sc_1' },
  ComponentDeleteRefused: { componentId: 'sc_1', reason: 'component_not_found', message: 'm' },
} as const;
