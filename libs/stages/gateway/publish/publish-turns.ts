// Bounds the bytes that one workspace publishes at a time: the log is read in order, so everything after them would
// wait.
import { FairQueue } from '../../../primitives/sharing/fair-queue.ts';
import { stoppingProblem, tooManyRequests } from '../http/api-problem.ts';

/**
 * Bytes of one workspace's requests that are not answered yet: enough for several of the largest, or many small ones.
 */
export const inFlightBytesMax = 4 * 1024 * 1024;

export interface PublishSize {
  readonly workspace: string;
  readonly sourceId: string;
  /** Size of the events as JSON. */
  readonly bytes: number;
}

interface WaitingPublish extends PublishSize {
  readonly begin: () => void;
  readonly refuse: (why: Error) => void;
}

interface WorkspaceQueue {
  bytes: number;
  /** Sources take turns. */
  readonly waiting: FairQueue<WaitingPublish>;
  next: WaitingPublish | undefined;
}

/** The room for request bodies bounds how many requests wait. */
export class PublishTurns {
  readonly #byWorkspace = new Map<string, WorkspaceQueue>();
  readonly #waitMsMax: number;

  /** A request whose turn comes later than this is answered 429. */
  constructor(waitMsMax: number) {
    this.#waitMsMax = waitMsMax;
  }

  /** Throws ApiProblem 429 or 503 before `publish` is called. */
  async run<T>(size: PublishSize, publish: () => Promise<T>): Promise<T> {
    const { workspace, bytes } = size;
    const queue = this.#queueOf(workspace);
    const isFirst = queue.next === undefined && queue.waiting.size === 0;
    if (isFirst && hasRoom(queue, bytes)) queue.bytes += bytes;
    else await this.#waitForTurn(queue, size);
    try {
      return await publish();
    } finally {
      queue.bytes -= bytes;
      this.#startWaiting(queue);
      if (queue.bytes === 0 && queue.next === undefined && queue.waiting.size === 0)
        this.#byWorkspace.delete(workspace);
    }
  }

  /** Rejects all waiting requests: nothing of them was published. */
  close(): void {
    for (const queue of this.#byWorkspace.values()) {
      const waiting = [...(queue.next === undefined ? [] : [queue.next]), ...queue.waiting];
      queue.next = undefined;
      queue.waiting.clear();
      for (const { refuse } of waiting) refuse(stoppingProblem());
    }
  }

  #queueOf(workspace: string): WorkspaceQueue {
    const known = this.#byWorkspace.get(workspace);
    if (known !== undefined) return known;
    const created = { bytes: 0, waiting: new FairQueue<WaitingPublish>(({ sourceId }) => sourceId), next: undefined };
    this.#byWorkspace.set(workspace, created);
    return created;
  }

  #waitForTurn(queue: WorkspaceQueue, size: PublishSize): Promise<void> {
    const requestedAt = performance.now();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const begin = (): void => {
      if (performance.now() - requestedAt > this.#waitMsMax)
        return reject(tooManyRequests('Too much waits to be published.'));
      queue.bytes += size.bytes;
      resolve();
    };
    queue.waiting.add({ ...size, begin, refuse: reject });
    return promise;
  }

  /** Smaller requests do not overtake one that does not fit: otherwise it might never begin. */
  #startWaiting(queue: WorkspaceQueue): void {
    for (queue.next ??= queue.waiting.take(); queue.next !== undefined; queue.next = queue.waiting.take()) {
      if (!hasRoom(queue, queue.next.bytes)) return;
      queue.next.begin();
    }
  }
}

/** A request larger than the bound is published alone. */
const hasRoom = ({ bytes }: WorkspaceQueue, added: number): boolean => bytes === 0 || bytes + added <= inFlightBytesMax;
