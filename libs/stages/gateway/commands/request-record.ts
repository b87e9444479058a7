// Makes the record of a request to another stage. Its id starts a chain whose correlation names the actor and trace.
import type { Ambient } from '../../../domain/ambient.ts';
import type { LogRecord } from '../../../domain/message.ts';
import { versionOf } from '../../../domain/record/record-version.ts';
import { chainFrom, type Actor } from '../../../domain/trace/chain.ts';
import { newRequestId } from './new-request-id.ts';

export interface Requester {
  readonly workspace: string;
  /** The id of an API key, or the stage that received a request without a key. */
  readonly keyId: Actor;
  readonly traceparent?: string | undefined;
}

type Message = Pick<LogRecord, 'type' | 'data'>;

/** `key`: the id of what the request is about. `id`: by default a new one. */
export function requestRecord<Request extends Message>(
  ambient: Ambient,
  { workspace, keyId, traceparent }: Requester,
  { key, id = newRequestId(ambient), ...message }: Request & { readonly key: string; readonly id?: string },
): Request & Omit<LogRecord, keyof Message> {
  const envelope = { id, version: versionOf(message as Message), key, at: ambient.now(), workspace };
  return { ...envelope, ...(message as unknown as Request), ...chainFrom(id, keyId, traceparent) };
}
