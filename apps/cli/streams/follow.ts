// Follows a stream across lost connections: yields each record once and in order.
import { setTimeout as pause } from 'node:timers/promises';
import type { StreamMessage } from '../../../libs/client/index.ts';
import { Backoff } from '../../../libs/primitives/backoff.ts';
import { isApiError } from '../failures/explain.ts';

export interface Connection {
  readonly after: string | undefined;
  readonly signal: AbortSignal;
  /** Must be called when the service has opened the stream. */
  readonly onOpen: () => void;
}

export interface FollowOptions<T> {
  /** Opens one connection, which begins after the record with this id. */
  readonly open: (connection: Connection) => AsyncIterable<StreamMessage<T>>;
  readonly signal: AbortSignal;
  /** The record after which to begin; undefined: begins now. */
  readonly after: string | undefined;
  /** Called once for each lost connection; `error` is undefined when the service ended the stream. */
  readonly onLost?: (error: unknown) => void;
  /** Called when the stream is open again. */
  readonly onResumed?: () => void;
  /** For tests. */
  readonly firstWaitMs?: number;
}

/** The service takes some seconds to restart: shorter waits would not help, longer ones would be noticed. */
const waitMsMax = 5_000;
const defaultFirstWaitMs = 250;

/** Ends on the signal; throws if the service refuses to continue. */
export async function* follow<T>(options: FollowOptions<T>): AsyncGenerator<StreamMessage<T>> {
  const { open, signal, onLost, onResumed, firstWaitMs = defaultFirstWaitMs } = options;
  const backoff = new Backoff(firstWaitMs, waitMsMax);
  let { after } = options;
  let isLost = false;
  const onOpen = (): void => {
    if (isLost) onResumed?.();
    isLost = false;
  };
  while (!signal.aborted) {
    let lossError: unknown;
    try {
      for await (const message of open({ after, signal, onOpen })) {
        after = message.id;
        backoff.reset();
        yield message;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isFinal(error)) throw error;
      lossError = error;
    }
    if (signal.aborted) return;
    if (!isLost) onLost?.(lossError);
    isLost = true;
    await pause(backoff.next(), undefined, { signal }).catch(() => undefined);
  }
}

/** Whether a retry would fail the same way: the source is gone, or the key is no longer valid. */
function isFinal(error: unknown): boolean {
  if (!isApiError(error)) return false;
  const { status } = error;
  return status !== null && status < 500 && status !== 429;
}
