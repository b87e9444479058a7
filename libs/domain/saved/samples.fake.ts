// A sample of each record about saved and published components, and about what is found in the registry.
import { manifest } from '../component/manifest.fake.ts';
import { console, error, madeBy, otherFiles, sealed } from '../source/samples/source-fields.fake.ts';

export const registryQuery = { app: 'a', key: 'a-k' };
const components = [{ key: 'a-k', type: 'source', name: 'n', description: 'd' }] as const;
const componentId = 'sc_1';
const saved = { componentId, userId: 'u_1', codeHash: 'h' };
const repeatable = { fingerprint: 'f', requestKey: 'wh_0' };
const published = { key: 'k', version: '1.0.0' };
const fetchId = 'fetch_1';

export const componentsListed = { sourceId: 'dc_1', revision: 1, components };

export const savedSamples = {
  commands: {
    FetchComponent: { ...repeatable, fetchId, url: sealed, find: registryQuery },
    SaveComponent: { ...repeatable, ...otherFiles, componentId, userId: 'u_1', code: 'c', publish: published },
    UnpublishComponent: { componentId },
    DeleteComponent: { componentId },
  },
  saves: {
    ComponentSaving: { ...repeatable, ...otherFiles, ...saved, code: 'c', publishes: true },
    ComponentSaved: { ...saved, manifest, lock: otherFiles.lock },
    ComponentSaveRefused: {
      componentId,
      began: true,
      reason: 'component_invalid',
      message: 'm',
      error,
      console,
      existingId: componentId,
    },
    ComponentPublished: {
      componentId,
      key: 'k',
      version: '1.0.0',
      request: { fingerprint: 'f', requestKey: 'k' },
    },
    ComponentUnpublished: { componentId, key: 'k' },
    ComponentsFound: { fetchId, hooksOffset: 1, components },
    ComponentUnpublishRefused: { componentId, reason: 'not_published', message: 'm' },
    ComponentDeleted: { componentId },
    ComponentDeleteRefused: { componentId, reason: 'component_not_found', message: 'm' },
    ComponentFetched: { fetchId, hooksOffset: 1, code: 'c' },
    ComponentFetchRefused: { fetchId, reason: 'fetch_failed', message: 'm' },
  },
  saved: { SavedDefined: { ...saved, status: 'saved', madeBy, publishes: true, published } },
} as const;
