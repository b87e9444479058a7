// Bounds the bytes that one workspace publishes at a time: the log is read in order, so everything after them would
// wait.
import { TurnsOfOwners } from '../../../primitives/sharing/turns-of-owners.ts';
import { stopping, tooMany } from '../http/api-problem.ts';

/**
 * Bytes of one workspace's requests that are not answered yet: enough for several of the largest, or many small ones.
 */
export const underWayBytesMax = 4 * 1024 * 1024;

export interface PublishSize {
  readonly workspace: string;
  readonly sourceId: string;
  /** Size of the events as JSON. */
  readonly bytes: number;
}

interface Waiting extends PublishSize {
  readonly begin: () => void;
  readonly refuse: (why: Error) => void;
}

interface OfWorkspace {
  bytes: number;
  /** Sources take turns. */
  readonly waiting: TurnsOfOwners<Waiting>;
  next: Waiting | undefined;
}

/** The room for request bodies bounds how many requests wait. */
export class PublishTurns {
  readonly #byWorkspace = new Map<string, OfWorkspace>();
  readonly #waitMsMax: number;

  /** A request whose turn comes later than this is answered 429. */
  constructor(waitMsMax: number) {
    this.#waitMsMax = waitMsMax;
  }

  /** Throws ApiProblem 429 or 503 before `publish` is called. */
  async take<T>(size: PublishSize, publish: () => Promise<T>): Promise<T> {
    const { workspace, bytes } = size;
    const of = this.#of(workspace);
    const isFirst = of.next === undefined && of.waiting.size === 0;
    if (isFirst && hasRoom(of, bytes)) of.bytes += bytes;
    else await this.#turn(of, size);
    try {
      return await publish();
    } finally {
      of.bytes -= bytes;
      this.#goOn(of);
      if (of.bytes === 0 && of.next === undefined && of.waiting.size === 0) this.#byWorkspace.delete(workspace);
    }
  }

  /** Rejects all waiting requests: nothing of them was published. */
  close(): void {
    for (const of of this.#byWorkspace.values()) {
      const all = [...(of.next === undefined ? [] : [of.next]), ...of.waiting];
      of.next = undefined;
      of.waiting.clear();
      for (const { refuse } of all) refuse(stopping());
    }
  }

  #of(workspace: string): OfWorkspace {
    const known = this.#byWorkspace.get(workspace);
    if (known !== undefined) return known;
    const made = { bytes: 0, waiting: new TurnsOfOwners<Waiting>(({ sourceId }) => sourceId), next: undefined };
    this.#byWorkspace.set(workspace, made);
    return made;
  }

  #turn(of: OfWorkspace, size: PublishSize): Promise<void> {
    const asked = performance.now();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const begin = (): void => {
      if (performance.now() - asked > this.#waitMsMax) return reject(tooMany('Too much waits to be published.'));
      of.bytes += size.bytes;
      resolve();
    };
    of.waiting.add({ ...size, begin, refuse: reject });
    return promise;
  }

  /** Smaller requests do not overtake one that does not fit: otherwise it might never begin. */
  #goOn(of: OfWorkspace): void {
    for (of.next ??= of.waiting.take(); of.next !== undefined; of.next = of.waiting.take()) {
      if (!hasRoom(of, of.next.bytes)) return;
      of.next.begin();
    }
  }
}

/** A request larger than the bound is published alone. */
const hasRoom = ({ bytes }: OfWorkspace, more: number): boolean => bytes === 0 || bytes + more <= underWayBytesMax;
