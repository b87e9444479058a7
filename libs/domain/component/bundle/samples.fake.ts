// A usable record of each type about bundles.
export const bundleSamples = {
  bundled: { bundle: { hash: 'ab12', parts: 2, from: 3 } },
  locked: { lock: 'l' },
  bundles: { BundlePartSaved: { hash: 'ab12', part: 0, text: 'AAAA' } },
  state: { BundleUsed: { sourceId: 'dc_1', revision: 1, hash: 'ab12', parts: 2, from: 3 } },
} as const;
