// The settings that the engine passes to every stage: a Nest token, so that stages do not depend on an engine.
import type { Logger } from 'pino';
import type { Metrics } from '../../primitives/metrics/metrics.ts';
import type { AlertsOfStages } from './alerts/alerts.ts';
import type { Ambient } from '../../domain/ambient.ts';
import type { EndpointSettings } from '../../domain/source/endpoint/endpoint-url.ts';

/** How long events, runs and the records about them are kept. */
export interface RetentionSettings {
  /** 0: forever. */
  readonly days: number;
  /** Only where the log has its own disk space: the bytes that it can use, and the bytes that its records use now. */
  readonly bytes?: { readonly max: number; readonly used: () => number } | undefined;
  /** How often to look for what has expired; tests look more often. */
  readonly lookMs?: number;
}

export abstract class StageSettings implements EndpointSettings {
  /** 32 bytes. */
  abstract readonly masterKey: Buffer;
  abstract readonly ambient: Ambient;
  abstract readonly publicUrl: string;
  abstract readonly endpointUrl?: string | undefined;
  /** CIDRs of proxies whose statement of the client's address is trusted; absent: none. */
  abstract readonly trustedProxies?: readonly string[] | undefined;
  /** The folder of the built console; absent: there is none. */
  abstract readonly consoleDir?: string | undefined;
  /** Holds the file of the first API key. */
  abstract readonly dataDir: string;
  /** Distinguishes this process from others of its kind: the address for replies. */
  abstract readonly instanceId: string;
  abstract readonly logger: Logger;
  abstract readonly retention: RetentionSettings;
  /** How long a record can stay without a checkpoint; absent: a minute. */
  abstract readonly checkpointMs?: number | undefined;
  /** Reports trouble that does not end a stage to the operator. */
  abstract readonly alerts: AlertsOfStages;
  /** The metrics of the process. */
  abstract readonly metrics: Metrics;
  /** Ends the process: for errors that no recovery can fix. */
  abstract readonly onFatal: (error: unknown) => void;
}
