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
import { cut, type Paced } from './cut.ts';
import { paced } from './pace.ts';
import { ReaderPositions } from './reader-positions.ts';
import { Trim } from './trim.ts';

/** How often it checks for a new fact, and whether readers that were behind have caught up. */
const lookMs = 10_000;

export interface RetentionOptions {
  /** The unchecked log: unusable records are deleted with the others. */
  readonly log: Log;
  readonly checked: CheckedLog;
  readonly views: ViewStore;
  readonly definitions: readonly View[];
  readonly share: () => Share;
  /** Resolves once all documents made before the call are written into the live views. */
  readonly settled: () => Promise<void>;
  readonly stopped: AbortSignal;
  readonly retrying: (error: PortError, waitMs: number) => void;
  readonly lookMs?: number;
}

export class Retention {
  readonly #options: RetentionOptions;
  readonly #trim: Trim;
  readonly #paced: Paced;
  #fact: StoredRecord<RetentionEvent> | undefined;
  #newer: NewerRecordError | undefined;
  /** The offset of the fact that was last applied to the live views. */
  #cutBy: number | undefined;
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
  async learn(): Promise<void> {
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
  async ended(): Promise<void> {
    await this.#working;
  }

  /** Removes documents from a new build that have expired since they were made. Nothing else writes to it then. */
  async cutNew(build: ViewBuild): Promise<void> {
    await cut(build, this.#options.definitions, this.before, (step) => step());
  }

  /** Call when other views have become the live ones. */
  switched(): void {
    this.#cutBy = undefined;
  }

  async #work(): Promise<void> {
    const { stopped, retrying } = this.#options;
    const waitMs = this.#options.lookMs ?? lookMs;
    while (!stopped.aborted) {
      try {
        await this.#turn();
      } catch (error) {
        if (!(error instanceof PortError && error.retryable)) throw error;
        retrying(error, waitMs);
      }
      await delay(waitMs, undefined, { signal: stopped, ref: false });
    }
  }

  async #turn(): Promise<void> {
    await this.learn();
    const fact = this.#fact;
    if (fact === undefined) return;
    if (this.#cutBy !== fact.offset) await this.#cut(fact);
    if (this.#cutBy === fact.offset) await this.#trim.run(fact, this.#options.share(), this.#paced);
  }

  async #cut(fact: StoredRecord<RetentionEvent>): Promise<void> {
    const { views, definitions, settled } = this.#options;
    await settled();
    const live = views.live();
    const { name } = live;
    this.#cutBy = fact.offset;
    try {
      await cut(live, definitions, fact.data.before, this.#paced);
    } catch (error) {
      this.#cutBy = undefined;
      // A rebuild ended the build in the middle of a step: the next turn cuts the one that is live now.
      if (live.name === name) throw error;
    }
  }
}
