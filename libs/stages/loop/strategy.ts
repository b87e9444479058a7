// How Nest runs a stage: as a transport whose `listen` is the stage's loop.
import { Server } from '@nestjs/microservices';
import type { CustomTransportStrategy } from '@nestjs/microservices';
import type { StageLoop } from './stage-loop.ts';

/** What runs in the background and can be drained: a stage's loop, or the projection. */
export interface Runnable {
  start(onFatal: (error: unknown) => void): void | Promise<void>;
  stop(drainMs: number): Promise<void>;
}

/** Given to each attempt that runs when the process is asked to end; Ctrl-C must be over in 5 s. */
export const drainMs = 3_000;

export class StageStrategy extends Server implements CustomTransportStrategy {
  readonly #stage: Runnable;
  readonly #onFatal: (error: unknown) => void;

  constructor(stage: Runnable, onFatal: (error: unknown) => void) {
    super();
    this.#stage = stage;
    this.#onFatal = onFatal;
  }

  override async listen(listening: () => void): Promise<void> {
    await this.#stage.start(this.#onFatal);
    listening();
  }

  override async close(): Promise<void> {
    await this.#stage.stop(drainMs);
  }

  /** A stage has no transport events: its trouble goes to `onFatal`. */
  override on(): void {}

  override unwrap<T = StageLoop>(): T {
    return this.#stage as T;
  }
}
