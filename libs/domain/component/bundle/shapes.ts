// The shapes of records about bundles; records that do not match are not used.
import { ident, natural, object, text } from '../../shape/checks.ts';
import type { ShapesOf } from '../../shape/shapes.ts';
import type { BundleEvent, BundlePlace, BundleUseEvent } from './messages.ts';

const place = { hash: ident, parts: natural, from: natural };

export const bundlePlace = object<BundlePlace>(place);

export const bundleEvents: ShapesOf<BundleEvent> = {
  BundlePartSaved: { hash: ident, part: natural, text },
};

export const bundleUseEvents: ShapesOf<BundleUseEvent> = {
  BundleUsed: { ...place, sourceId: ident, revision: natural },
};
