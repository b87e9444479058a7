// The id of a request: it begins a chain, and says when.
import type { Ambient } from '../../../domain/ambient.ts';
import { idBytes, idFromBytes, timedId } from '../../../domain/id.ts';

export const newRequestId = (ambient: Ambient): string =>
  timedId(idFromBytes('req', ambient.randomBytes(idBytes)), ambient.now());
