// The options of a projection.
import type { PortError } from '../../domain/port-error.ts';
import type { View } from '../../domain/views/index.ts';
import type { Logger } from 'pino';
import type { Log } from '../../log/index.ts';
import type { Ownership } from '../../log/ownership.ts';
import type { ViewStore } from '../../view-store/index.ts';
import type { Alerts } from '../loop/alerts/alerts.ts';

export interface ProjectionOptions {
  readonly log: Log;
  readonly views: ViewStore;
  /** Absent: this process has the log to itself. */
  readonly ownership?: Ownership;
  /** How often retention checks for work; tests check more often. */
  readonly retentionCheckMs?: number;
  /** The views to project; by default the product's. */
  readonly definitions?: readonly View[];
  /** Called on port trouble that is retried after `waitMs`. */
  readonly onRetry?: (error: PortError, waitMs: number) => void;
  /** Absent: unusable records are not reported. */
  readonly alerts?: Pick<Alerts, 'raise'>;
  readonly logger?: Pick<Logger, 'warn'>;
  /** A monotonic clock in milliseconds, to notice a stall; tests pass their own. */
  readonly elapsedMs?: () => number;
  /** Called when the views restart empty, with the reason as a readable text. */
  readonly onViewsReset?: (message: string) => void;
}
