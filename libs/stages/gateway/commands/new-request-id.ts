// Makes the id of a request: it starts a chain of records, and contains the time.
import type { Ambient } from '../../../domain/ambient.ts';
import { idBytes, idFromBytes, timedId } from '../../../domain/id.ts';

export const newRequestId = (ambient: Ambient): string =>
  timedId(idFromBytes('req', ambient.randomBytes(idBytes)), ambient.now());
