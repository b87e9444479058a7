// The shapes of records about bundles; records that do not match are not used.
import { ident, natural, object, text } from '../../shape/checks.ts';
import type { ShapesOf } from '../../shape/shapes.ts';
import type { BundleEvent, BundleLocation, BundleUseEvent } from './messages.ts';

const location = { hash: ident, parts: natural, from: natural };

export const bundleLocation = object<BundleLocation>(location);

export const bundleEvents: ShapesOf<BundleEvent> = {
  BundlePartSaved: { hash: ident, part: natural, text },
};

export const bundleUseEvents: ShapesOf<BundleUseEvent> = {
  BundleUsed: { ...location, sourceId: ident, revision: natural },
};
