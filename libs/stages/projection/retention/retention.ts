// Applies the records of `retention` in the background: removes documents, then records that all readers have passed.
import { setTimeout as delay } from 'node:timers/promises';
import type { Millis, StoredRecord } from '../../../domain/message.ts';
import { PortError } from '../../../domain/port-error.ts';
import type { RetentionEvent } from '../../../domain/retention/messages.ts';
import type { View } from '../../../domain/views/view.ts';
import type { Log } from '../../../log/index.ts';
import type { ViewBuild, ViewStore } from '../../../view-store/index.ts';
import type { CheckedLog } from '../../loop/reading/checked-log.ts';
import { NewerRecordError } from '../../loop/reading/unusable.ts';
import { newestRetention } from '../../loop/retention.ts';
import type { Share } from '../inputs.ts';
import { removeExpired, type Paced } from './expired-documents.ts';
import { paced } from './pace.ts';
import { ReaderPositions } from './reader-positions.ts';
import { Trim } from './trim.ts';

/** How often it checks for a new fact, and whether readers that were behind have caught up. */
const checkMs = 10_000;

export interface RetentionOptions {
  /** The unchecked log: unusable records are deleted with the others. */
  readonly log: Log;
  readonly checked: CheckedLog;
  readonly views: ViewStore;
  readonly definitions: readonly View[];
  readonly share: () => Share;
  /** Resolves once all documents made before the call are written into the live views. */
  readonly waitUntilWritten: () => Promise<void>;
  readonly stopped: AbortSignal;
  readonly retrying: (error: PortError, waitMs: number) => void;
  readonly retentionCheckMs?: number;
}

export class Retention {
  readonly #options: RetentionOptions;
  readonly #trim: Trim;
  readonly #paced: Paced;
  #fact: StoredRecord<RetentionEvent> | undefined;
  #newer: NewerRecordError | undefined;
  /** The offset of the fact that was last applied to the live views. */
  #appliedFact: number | undefined;
  #working: Promise<void> | undefined;

  constructor(options: RetentionOptions) {
    const { log, views, stopped } = options;
    this.#options = options;
    this.#trim = new Trim(log, new ReaderPositions({ log, checkpoint: () => views.live().checkpoint() }));
    this.#paced = (step) => paced(step, stopped);
  }

  /** Documents older than this are removed and no longer written. */
  get before(): Millis {
    return this.#fact?.data.before ?? -Infinity;
  }

  /** Why retention is paused. */
  get newer(): NewerRecordError | undefined {
    return this.#newer;
  }

  /** Reads the newest fact; call before any document is made. */
  async loadNewestFact(): Promise<void> {
    try {
      this.#fact = (await newestRetention(this.#options.checked)) ?? this.#fact;
      this.#newer = undefined;
    } catch (error) {
      // Retention pauses until a program runs that can read the record.
      if (!(error instanceof NewerRecordError)) throw error;
      this.#newer = error;
    }
  }

  start(onFatal: (error: unknown) => void): void {
    this.#working ??= this.#work().catch((error: unknown) => {
      if (!this.#options.stopped.aborted) onFatal(error);
    });
  }

  /** Resolves when the work has ended; call after `stopped` was aborted. */
  async waitUntilEnded(): Promise<void> {
    await this.#working;
  }

  /** Removes documents from a new build that have expired since they were made. Nothing else writes to it then. */
  async removeExpiredFrom(build: ViewBuild): Promise<void> {
    await removeExpired(build, this.#options.definitions, this.before, (step) => step());
  }

  /** Call when other views have become the live ones. */
  handleSwitched(): void {
    this.#appliedFact = undefined;
  }

  async #work(): Promise<void> {
    const { stopped, retrying } = this.#options;
    const waitMs = this.#options.retentionCheckMs ?? checkMs;
    while (!stopped.aborted) {
      try {
        await this.#applyNewest();
      } catch (error) {
        if (!(error instanceof PortError && error.retryable)) throw error;
        retrying(error, waitMs);
      }
      await delay(waitMs, undefined, { signal: stopped, ref: false });
    }
  }

  async #applyNewest(): Promise<void> {
    await this.loadNewestFact();
    const fact = this.#fact;
    if (fact === undefined) return;
    if (this.#appliedFact !== fact.offset) await this.#removeExpired(fact);
    if (this.#appliedFact === fact.offset) await this.#trim.run(fact, this.#options.share(), this.#paced);
  }

  async #removeExpired(fact: StoredRecord<RetentionEvent>): Promise<void> {
    const { views, definitions, waitUntilWritten } = this.#options;
    await waitUntilWritten();
    const live = views.live();
    const { name } = live;
    this.#appliedFact = fact.offset;
    try {
      await removeExpired(live, definitions, fact.data.before, this.#paced);
    } catch (error) {
      this.#appliedFact = undefined;
      // A rebuild ended the build in the middle of a step: the next turn cuts the one that is live now.
      if (live.name === name) throw error;
    }
  }
}
