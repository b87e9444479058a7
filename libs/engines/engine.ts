// An engine: one adapter for every port, opened together and closed together.
import type { Logger } from 'pino';
import type { Log } from '../log/log.ts';
import type { Ownership } from '../log/ownership.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { PortName } from '../stages/loop/strategy.ts';
import type { ViewStore } from '../view-store/view-store.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import type { Config } from './config/config.ts';

/** What is stored; enough to make the views anew. */
export interface Stores {
  readonly log: Log;
  readonly views: ViewStore;
  readonly ownership: Ownership;
  close(): Promise<void>;
}

export interface Ports {
  readonly log: Log;
  readonly ownership: Ownership;
  /** Opened for the stages that name it. */
  readonly views?: ViewStore;
  readonly sandbox?: Sandbox;
  readonly webhook?: Webhook;
  /** What the log may take of the disk that it is on, where that is this process's business. */
  readonly logBytes?: { readonly max: number; readonly used: () => number } | undefined;
  /** 32 bytes: what wraps the data keys on this log. */
  readonly masterKey: Buffer;
  /** In the order that loses nothing: what runs first, what stores last. */
  close(): Promise<void>;
}

/** What the stages of one process need of an engine. */
export interface Wanted {
  readonly ports: ReadonlySet<PortName>;
  /** This process among all that share the log. */
  readonly instanceId: string;
  readonly logger: Logger;
}

export interface Engine<Configured extends Config = Config> {
  readonly name: 'embedded' | 'distributed';
  /** From the environment. Throws ConfigError. */
  readConfig(): Configured;
  /** Every setting for people, secrets masked. */
  summary(config: Configured): Readonly<Record<string, string>>;
  /** Where a process that does not serve the API answers `GET /health`; 0: a free port. */
  healthPort(config: Configured): number;
  /** Throws PortError with a message that says what to do. */
  open(config: Configured, wanted: Wanted): Promise<Ports>;
}

/** An engine whose views can be made anew without its apps. */
export interface RebuildingEngine<Configured extends Config = Config> extends Engine<Configured> {
  /** Where a running service takes `POST /rebuild`. */
  rebuildUrl(config: Configured): string;
  /** PortError `in_use` says that a running service has them, which is to be asked. */
  openStores(config: Configured): Promise<Stores>;
}
