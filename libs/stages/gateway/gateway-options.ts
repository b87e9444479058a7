// The gateway's dependencies and limits.
import { callTimeoutMs } from '../../domain/call/call.ts';
import type { Log } from '../../log/log.ts';
import type { ViewStore } from '../../view-store/view-store.ts';
import type { Alerts } from '../loop/alerts/alerts.ts';
import type { StageSettings } from '../loop/settings.ts';

export interface GatewayLimits {
  /** How long a request waits for its command's outcome. */
  readonly outcomeMs: number;
  /** The same if packages might be installed first: enough for an installation and the wait for its turn. */
  readonly installingMs: number;
  /** How long such a request keeps its slot if no stage carries it out: longer than a full queue of them takes. */
  readonly installSlotMs: number;
  /** How long an answer waits until the views show the same state. */
  readonly viewsMs: number;
  /** How long the client of a dry run waits for its count. */
  readonly countMs: number;
  /** How long an endpoint's client waits for `respond` or the end of the run. */
  readonly respondMs: number;
  /** How long a runtime can take to report that it has read a request: by then another one has taken over. */
  readonly takenMs: number;
  /** How long a request to publish waits for runtime: by then another instance has taken over. */
  readonly publishMs: number;
  /** How long the client of a call waits for its end. */
  readonly callMs: number;
  /** How long an answer waits until a change of a filter has its place among the events. */
  readonly filterMs: number;
  /** How long the client of a transform's trial waits for delivery. */
  readonly trialMs: number;
  /** The time between two heartbeats of a stream. */
  readonly heartbeatMs: number;
}

export const defaultLimits: GatewayLimits = {
  outcomeMs: 30_000,
  installingMs: 150_000,
  installSlotMs: 60 * 60_000,
  viewsMs: 5_000,
  countMs: 25_000,
  respondMs: 60_000,
  takenMs: 30_000,
  publishMs: 30_000,
  callMs: callTimeoutMs,
  filterMs: 5_000,
  trialMs: 30_000,
  heartbeatMs: 15_000,
};

export interface GatewayOptions extends Pick<
  StageSettings,
  'masterKey' | 'ambient' | 'publicUrl' | 'endpointUrl' | 'trustedProxies' | 'dataDir' | 'instanceId' | 'logger'
> {
  readonly alerts: Alerts;
  readonly log: Log;
  readonly views: ViewStore;
  readonly limits?: Partial<GatewayLimits>;
}
