// What the gateway is given, and under which token Nest hands it out.
import type { Logger } from 'pino';
import type { Ambient } from '../../domain/ambient.ts';
import type { Log } from '../../log/log.ts';
import type { ViewStore } from '../../view-store/view-store.ts';

export const GATEWAY_OPTIONS = Symbol('GATEWAY_OPTIONS');

export interface GatewayLimits {
  /** How long a request waits for its command's outcome. */
  readonly outcomeMs: number;
  /** How long an answer waits for the views to show what it says. */
  readonly viewsMs: number;
  /** How long an endpoint's client waits for `respond` or the end of the run. */
  readonly respondMs: number;
}

export const defaultLimits: GatewayLimits = { outcomeMs: 30_000, viewsMs: 5_000, respondMs: 60_000 };

export interface GatewayOptions {
  readonly log: Log;
  readonly views: ViewStore;
  /** 32 bytes. */
  readonly masterKey: Buffer;
  readonly ambient: Ambient;
  /** What endpoint URLs start with; known only once the server listens. */
  readonly publicUrl: () => string;
  /** Where the file `api-key` is. */
  readonly dataDir: string;
  /** This process among all gateways: where replies go. */
  readonly instanceId: string;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Following the log ended for good: the process cannot go on. */
  readonly onFatal: (error: unknown) => void;
  readonly limits?: Partial<GatewayLimits>;
}
