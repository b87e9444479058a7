// Holds requests to data stores that are read before the key that seals them: topics are read independently.
import type { StoredRecord } from '../../../domain/message.ts';
import { PortError } from '../../../domain/port-error.ts';
import type { StoreRequest } from '../../../domain/store/messages.ts';
import { NewerRecordError } from '../../loop/reading/unusable.ts';
import type { TaskContext } from '../../loop/stage.ts';
import type { Vault } from '../source/vault.ts';

const page = { recordsMax: 1_000, bytesMax: 1024 * 1024 };
/** The wait between attempts while the log does not answer, or holds a record newer than this program. */
const retryMs = 200;

export interface HeldRequestsOptions {
  readonly vault: Vault;
  readonly context: Pick<TaskContext, 'fail'> & { readonly log: Pick<TaskContext['log'], 'read' | 'settledEnd'> };
  /** The offset at which the task began to read `keys`. */
  readonly keysFrom: number;
  /** Called with each request in order, once its key is known or known to be missing. */
  readonly release: (request: StoredRecord<StoreRequest>) => void;
}

export class HeldRequests {
  readonly #options: HeldRequestsOptions;
  readonly #held: StoredRecord<StoreRequest>[] = [];
  #keysFrom: number;
  #isReading = false;
  #isStopped = false;

  constructor(options: HeldRequestsOptions) {
    this.#options = options;
    this.#keysFrom = options.keysFrom;
  }

  /** Whether this request must wait for its key, or for an earlier request that waits. */
  mustHold({ workspace }: StoreRequest): boolean {
    return this.#held.length > 0 || this.#options.vault.keyState(workspace) === 'not_read_yet';
  }

  hold(request: StoredRecord<StoreRequest>): void {
    this.#held.push(request);
    this.#read();
  }

  stop(): void {
    this.#isStopped = true;
  }

  #read(): void {
    if (this.#isReading || this.#isStopped) return;
    this.#isReading = true;
    // The keys of these requests are on the log by now; those of later requests might not be.
    const count = this.#held.length;
    this.#readKeys().then(
      () => this.#handleKeysRead(count),
      (error: unknown) => this.#handleError(error),
    );
  }

  /** Reads `keys` ahead of the tail, for workspaces whose key has not been read. */
  async #readKeys(): Promise<void> {
    const { vault, context } = this.#options;
    const to = await context.log.settledEnd('keys', 0);
    const missing = new Set<string>();
    while (this.#keysFrom < to) {
      const { records, next } = await context.log.read('keys', 0, this.#keysFrom, { ...page, to });
      for (const record of records) {
        if (vault.keyState(record.workspace) === 'not_read_yet') missing.add(record.workspace);
        if (missing.has(record.workspace)) vault.accept(record);
      }
      if (next <= this.#keysFrom) return;
      this.#keysFrom = next;
    }
  }

  #handleKeysRead(count: number): void {
    this.#isReading = false;
    if (this.#isStopped) return;
    const { vault, release } = this.#options;
    const isKeyUnread = ({ workspace }: StoreRequest): boolean => vault.keyState(workspace) === 'not_read_yet';
    const upTo = this.#held.findIndex((request, at) => at >= count && isKeyUnread(request));
    for (const request of this.#held.splice(0, upTo === -1 ? this.#held.length : upTo)) release(request);
    if (this.#held.length > 0) this.#read();
  }

  #handleError(error: unknown): void {
    if (this.#isStopped) return;
    if (!(error instanceof NewerRecordError) && !(error instanceof PortError && error.retryable))
      return this.#options.context.fail(error instanceof Error ? error : new Error(String(error)));
    setTimeout(() => {
      this.#isReading = false;
      this.#read();
    }, retryMs).unref();
  }
}
