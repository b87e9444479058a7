// The interface of an engine: one adapter for every port, opened and closed together.
import type { Logger } from 'pino';
import type { Log } from '../log/log.ts';
import type { Ownership } from '../log/ownership.ts';
import type { Packages } from '../packages/packages.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Transformer } from '../sandbox/transformer.ts';
import type { WatchedLoop } from '../stages/loop/health.ts';
import type { PortName } from '../stages/loop/strategy.ts';
import type { ViewStore } from '../view-store/view-store.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import type { Config } from './config/config.ts';
import type { StoreSize } from './metrics/store-metrics.ts';

/** The storage ports, which are enough to rebuild the views. */
export interface Stores {
  readonly log: Log;
  readonly views: ViewStore;
  readonly ownership: Ownership;
  close(): Promise<void>;
}

export interface Ports {
  readonly log: Log;
  readonly ownership: Ownership;
  /** Opened only for stages that need it. */
  readonly views?: ViewStore;
  readonly sandbox?: Sandbox;
  readonly packages?: Packages;
  readonly webhook?: Webhook;
  readonly transformer?: Transformer;
  /** The disk space of the log, in bytes, if this process manages it. */
  readonly logBytes?: { readonly max: number; readonly used: () => number } | undefined;
  /** Returns the sizes of this process's stores, as far as they are known. */
  readonly sizes?: () => Promise<readonly StoreSize[]>;
  /** Problems of the storage in use, shown by health in addition to the loops. */
  readonly watched?: WatchedLoop;
  /** 32 bytes; wraps the data keys on this log. */
  readonly masterKey: Buffer;
  /** Closes the workers first and storage last, so that nothing is lost. */
  close(): Promise<void>;
}

/** What the stages of one process need from an engine. */
export interface EngineRequirements {
  readonly ports: ReadonlySet<PortName>;
  /** Identifies this process among all that share the log. */
  readonly instanceId: string;
  readonly logger: Logger;
}

export interface Engine<Configured extends Config = Config> {
  readonly name: 'embedded' | 'distributed';
  /** Reads the configuration from the environment. Throws ConfigError. */
  readConfig(): Configured;
  /** Every setting as a readable text, secrets masked. */
  summary(config: Configured): Readonly<Record<string, string>>;
  /** Port on which a process without the API answers `GET /health`; 0: a free port. */
  healthPort(config: Configured): number;
  /** Throws PortError with a message that says what to do. */
  open(config: Configured, requirements: EngineRequirements): Promise<Ports>;
}

/** An engine whose views can be rebuilt without its apps. */
export interface RebuildingEngine<Configured extends Config = Config> extends Engine<Configured> {
  /** URL at which a running service accepts `POST /rebuild`. */
  rebuildUrl(config: Configured): string;
  /** Rejects with PortError `in_use` if a running service uses the views: ask that service. */
  openStores(config: Configured): Promise<Stores>;
}
