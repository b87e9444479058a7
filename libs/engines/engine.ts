// An engine: one adapter for every port, opened together and closed together.
import type { Log } from '../log/log.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ViewStore } from '../view-store/view-store.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import type { Logger } from 'pino';
import type { Config } from './config.ts';

/** What is stored; enough to make the views anew. */
export interface Stores {
  readonly log: Log;
  readonly views: ViewStore;
  close(): Promise<void>;
}

export interface Ports extends Stores {
  readonly sandbox: Sandbox;
  readonly webhook: Webhook;
  /** 32 bytes: what wraps the data keys on this log. */
  readonly masterKey: Buffer;
  /** In the order that loses nothing: what runs first, what stores last. */
  close(): Promise<void>;
}

export interface Engine {
  readonly name: 'embedded';
  /** Throws PortError with a message that says what to do. */
  open(config: Config, logger: Logger): Promise<Ports>;
  /** PortError `in_use` says that a running service has them. */
  openStores(config: Config): Promise<Stores>;
}
