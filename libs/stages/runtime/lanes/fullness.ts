// Tells every gateway repeatedly which sources are full: too many of their triggers or requests to publish wait.
import { everyGateway } from '../../../log/index.ts';
import type { Log } from '../../../log/index.ts';
import type { RuntimeLimits } from '../runtime-limits.ts';

type Limits = Pick<RuntimeLimits, 'queueFullAt' | 'queueFreeAt' | 'fullRepeatMs'>;

export class Fullness {
  readonly #log: Log;
  readonly #limits: Limits;
  readonly #full = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Log, limits: Limits) {
    this.#log = log;
    this.#limits = limits;
  }

  /** `waiting`: the number of the source's triggers for runs, or of requests to publish, that are not finished. */
  note(sourceId: string, waiting: number): void {
    if (waiting > this.#limits.queueFullAt && !this.#full.has(sourceId)) {
      this.#full.add(sourceId);
      this.#announce('SourceFull', sourceId);
      this.#timer ??= setInterval(() => this.#repeat(), this.#limits.fullRepeatMs).unref();
    } else if (waiting <= this.#limits.queueFreeAt && this.#full.delete(sourceId)) {
      this.#announce('SourceFree', sourceId);
      if (this.#full.size === 0) this.stop();
    }
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #repeat(): void {
    for (const sourceId of this.#full) this.#announce('SourceFull', sourceId);
  }

  #announce(type: 'SourceFull' | 'SourceFree', sourceId: string): void {
    this.#log.reply(everyGateway, { type, sourceId });
  }
}
