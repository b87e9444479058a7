// The shapes of records about data stores; records that do not match are not used.
import { ident, millis, natural, nullable, sealed, text } from '../shape/checks.ts';
import type { ShapesOf } from '../shape/shapes.ts';
import type { StoreEvent, StoreRequest } from './messages.ts';

export const storeRequests: ShapesOf<StoreRequest> = {
  DataStoreRequested: { question: sealed, replyTo: ident },
};

export const storeEvents: ShapesOf<StoreEvent> = {
  DataStoreSaved: { storeId: ident, name: text, createdAt: millis },
  DataStoreRemoved: { storeId: ident, createdAt: millis },
  StoreEntrySaved: {
    storeId: ident,
    slot: natural,
    name: sealed,
    value: sealed,
    bytes: natural,
    expiresAt: nullable(millis),
  },
  StoreRequestsTaken: { below: natural },
};
