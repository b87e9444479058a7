// What the engine tells every stage at start: a Nest token, so that stages do not depend on an engine.
import type { Logger } from 'pino';
import type { Metrics } from '../../primitives/metrics/metrics.ts';
import type { AlertsOfStages } from './alerts/alerts.ts';
import type { Ambient } from '../../domain/ambient.ts';

/** How long events, runs and what belongs to them are kept. */
export interface RetentionSettings {
  /** 0: forever. */
  readonly days: number;
  /** Only where the log has its own disk space: the bytes that it may take, and those its records take now. */
  readonly bytes?: { readonly max: number; readonly used: () => number } | undefined;
  /** How often to look for what has expired; tests look more often. */
  readonly lookMs?: number;
}

export abstract class StageSettings {
  /** 32 bytes. */
  abstract readonly masterKey: Buffer;
  abstract readonly ambient: Ambient;
  /** Where clients reach the service, without a slash at the end. */
  abstract readonly publicUrl: string;
  /** What endpoint URLs begin with where endpoints have a host of their own; absent: `publicUrl`. */
  abstract readonly endpointUrl?: string | undefined;
  /** CIDRs of proxies that may say for whom they ask; absent: there are none. */
  abstract readonly trustedProxies?: readonly string[] | undefined;
  /** Where the built console is; absent: there is none. */
  abstract readonly consoleDir?: string | undefined;
  /** Holds the file of the first API key. */
  abstract readonly dataDir: string;
  /** Tells this process from others of its kind: the address for replies. */
  abstract readonly instanceId: string;
  abstract readonly logger: Logger;
  abstract readonly retention: RetentionSettings;
  /** How long a record may stay without a checkpoint; absent: a minute. */
  abstract readonly checkpointMs?: number | undefined;
  /** How a stage tells the operator of trouble that does not end it. */
  abstract readonly alerts: AlertsOfStages;
  /** What the process counts and shows. */
  abstract readonly metrics: Metrics;
  /** Ends the process: for errors that no recovery can fix. */
  abstract readonly onFatal: (error: unknown) => void;
}

/** The URL that reaches a source. */
export const endpointUrl = (settings: EndpointSettings, endpointKey: string): string =>
  `${endpointBase(settings)}/e/${endpointKey}`;

export type EndpointSettings = Pick<StageSettings, 'publicUrl' | 'endpointUrl'>;

/** What the URLs of endpoints begin with, without a slash at the end. */
export const endpointBase = ({ publicUrl, endpointUrl: own }: EndpointSettings): string => own ?? publicUrl;
