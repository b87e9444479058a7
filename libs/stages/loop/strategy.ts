// Runs a stage in Nest: as a transport whose `listen` starts the stage's loop.
import type { Type } from '@nestjs/common';
import { Server } from '@nestjs/microservices';
import type { CustomTransportStrategy } from '@nestjs/microservices';
import type { FastifyServerOptions } from 'fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { StageSettings } from './settings.ts';
import type { Stage } from './stage.ts';
import type { WatchedLoop } from './health.ts';

/** Background work that is watched and can be drained: a stage's loop, the projection, the gateway's tails. */
export interface Runnable extends WatchedLoop {
  /** Resolves once it runs; later trouble goes to `onFatal`. */
  start(onFatal: (error: unknown) => void): void | Promise<void>;
  stop(drainMs: number): Promise<void>;
}

type Token<T> = abstract new (...args: never[]) => T;

/** Ports that an engine opens only for stages that name them; every stage gets the log. */
export type PortName = 'views' | 'sandbox' | 'packages' | 'webhook' | 'transformer';

/** A stage's Nest module, and what it adds to the HTTP server. */
export interface StageModule extends Type {
  readonly stage: Token<Stage> | Token<Runnable>;
  readonly ports?: readonly PortName[];
  /** Only the API's stage has it, since only its process serves clients. */
  readonly configure?: (app: NestFastifyApplication) => void | Promise<void>;
  /** The path of a route for the operator alone: `OperatorGuard` protects it. */
  readonly operatorRoute?: string;
  /** A link that signs in once, to be shown at a terminal and never logged; undefined: there is none. */
  readonly invitation?: (app: NestFastifyApplication) => string | undefined;
  /** Options that the HTTP server must be created with. */
  readonly server?: (settings: StageSettings) => FastifyServerOptions;
}

/** How long running work can take when the process is asked to end; Ctrl-C must complete in 5 s. */
export const drainMs = 2_500;

export class StageStrategy extends Server implements CustomTransportStrategy {
  readonly #runnable: Runnable;
  readonly #onFatal: (error: unknown) => void;

  constructor(runnable: Runnable, onFatal: (error: unknown) => void) {
    super();
    this.#runnable = runnable;
    this.#onFatal = onFatal;
  }

  override async listen(listening: (error?: unknown) => void): Promise<void> {
    try {
      await this.#runnable.start(this.#onFatal);
      listening();
    } catch (error) {
      listening(error);
    }
  }

  override async close(): Promise<void> {
    await this.#runnable.stop(drainMs);
  }

  /** A stage has no transport events: its trouble goes to `onFatal`. */
  override on(): void {}

  override unwrap<T>(): T {
    return this.#runnable as T;
  }
}
