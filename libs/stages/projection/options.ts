// What a projection is made with.
import type { PortError } from '../../domain/port-error.ts';
import type { View } from '../../domain/views/index.ts';
import type { Logger } from 'pino';
import type { Log } from '../../log/index.ts';
import type { Ownership } from '../../log/ownership.ts';
import type { ViewStore } from '../../view-store/index.ts';
import type { Alerts } from '../loop/reporting/alerts.ts';

export interface ProjectionOptions {
  readonly log: Log;
  readonly views: ViewStore;
  /** Without it this process has the log to itself. */
  readonly ownership?: Ownership;
  /** How often it is looked for what is to be given up; tests look more often. */
  readonly lookMs?: number;
  /** What makes the documents; by default the product's views. */
  readonly definitions?: readonly View[];
  /** Port trouble that is tried again after `waitMs`. */
  readonly onRetry?: (error: PortError, waitMs: number) => void;
  /** Without it nobody hears of records that cannot be used. */
  readonly alerts?: Alerts;
  readonly logger?: Pick<Logger, 'warn'>;
  /** Milliseconds that only ever grow, by which it tells that it stands still; tests give others. */
  readonly elapsedMs?: () => number;
  /** For people: the views begin anew, and why. */
  readonly onFresh?: (message: string) => void;
}
