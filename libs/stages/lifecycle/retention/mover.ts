// Moves retention: checks every minute how far back the log is kept, and appends a record when that has changed.
import type { Ambient } from '../../../domain/ambient.ts';
import type { Sources } from '../../../domain/source/state/sources.ts';
import { derivedId } from '../../../domain/id.ts';
import type { Millis } from '../../../domain/message.ts';
import { decideRetention, type RetentionSize } from '../../../domain/retention/decide.ts';
import { retentionKey, type RetentionEvent, type RetentionMoved } from '../../../domain/retention/messages.ts';
import { chainFrom } from '../../../domain/trace/chain.ts';
import { oldestRecord } from './oldest-record.ts';
import type { Log, OutgoingOn } from '../../../log/log.ts';
import type { RetentionSettings } from '../../loop/settings.ts';

/** Far shorter than an hour, by which retention moves at least. */
const checkMs = 60_000;
/**
 * How long the log has to free the space of records that were given up for its size; only then is it known whether that
 * was enough.
 */
const freeingMs = 10 * 60_000;

export interface RetentionMoverOptions {
  readonly settings: RetentionSettings;
  readonly ambient: Ambient;
  /** The newest record of this on the log. */
  readonly last: RetentionMoved | undefined;
  readonly sources: Sources;
  readonly log: Pick<Log, 'read' | 'partitions'>;
  /** Called when the log fails during a check; ends the stage's task. */
  readonly fail: (error: Error) => void;
  /** Appends a record that no input caused. */
  readonly append: (outgoing: OutgoingOn<'retention'>) => void;
}

export class RetentionMover {
  readonly #options: RetentionMoverOptions;
  #last: RetentionMoved | undefined;
  #timer: NodeJS.Timeout | undefined;
  #movedAt = -Infinity;
  readonly #openedAt = performance.now();
  #closed = false;

  constructor(options: RetentionMoverOptions) {
    this.#options = options;
    this.#last = options.last;
  }

  /** Checks at once, and then every minute. */
  start(): void {
    this.#timer = setTimeout(() => this.#checkRepeatedly(), 0);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #checkRepeatedly(): void {
    const { settings, fail } = this.#options;
    this.#check().then(
      () => {
        if (!this.#closed) this.#timer = setTimeout(() => this.#checkRepeatedly(), settings.lookMs ?? checkMs).unref();
      },
      (error: unknown) => {
        if (!this.#closed) fail(error instanceof Error ? error : new Error(String(error)));
      },
    );
  }

  async #check(): Promise<void> {
    const { settings, ambient, sources, append } = this.#options;
    const size = await this.#excessSize();
    if (this.#closed) return;
    const now = ambient.now();
    const waitedMs = performance.now() - Math.max(this.#openedAt, this.#movedAt);
    const input = { now, days: settings.days, last: this.#last, waitedMs, size };
    if (decideRetention({ ...input, deployingSince: undefined }) === undefined) return;
    const moved = decideRetention({ ...input, deployingSince: deployingSince(sources) });
    if (moved === undefined) return;
    this.#last = moved;
    this.#movedAt = performance.now();
    append({ topic: 'retention', partition: 0, record: retentionMoved(moved, now) });
  }

  /** Undefined: the log is small enough, or the space given up last may not be free yet. */
  async #excessSize(): Promise<RetentionSize | undefined> {
    const { settings, log } = this.#options;
    if (settings.bytes === undefined || performance.now() - this.#movedAt < freeingMs) return undefined;
    const { max: bytesMax, used } = settings.bytes;
    const usedBytes = used();
    if (usedBytes <= bytesMax) return undefined;
    const oldest = await oldestRecord(log);
    return oldest === undefined ? undefined : { usedBytes, bytesMax, oldest };
  }
}

/** The clock and the log's size cause it, not a command, so it begins a new correlation chain. */
function retentionMoved(data: RetentionMoved, at: Millis): RetentionEvent {
  const id = derivedId('rec', retentionKey, data.before);
  const chain = { workspace: '', ...chainFrom(id, 'lifecycle') };
  return { id, type: 'RetentionMoved', version: 1, key: retentionKey, data, at, ...chain };
}

function deployingSince({ byId }: Sources): Millis | undefined {
  let since: Millis | undefined;
  for (const { status, createdAt } of byId.values())
    if (status === 'deploying') since = Math.min(createdAt, since ?? createdAt);
  return since;
}
