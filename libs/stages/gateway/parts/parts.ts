// The parts with which requests are answered. Each user names in its parameter the few that it needs: `Parts<'views' |
// 'commands'>`.
import type { CheckpointWatch } from '../../../view-store/checkpoint-watch.ts';
import type { ViewBuild } from '../../../view-store/view-store.ts';
import type { CheckedLog } from '../../loop/reading/checked-log.ts';
import type { Commands } from '../commands/commands.ts';
import type { LogWatch } from '../control/log-watch.ts';
import type { DeletedThings } from '../control/registry/deleted-things.ts';
import type { FilterAcks } from '../control/filter-acks.ts';
import type { DeliveryRequests } from '../control/waiting/delivery-requests.ts';
import type { ReplyRouter } from '../control/waiting/reply-router.ts';
import type { GatewayLimits, GatewayOptions } from '../gateway-options.ts';
import type { TrustedProxies } from '../http/proxies/trusted-proxies.ts';
import type { HistoryReader } from '../history/history-reader.ts';
import type { EventPublisher } from '../publish/event-publisher.ts';
import type { Streams } from '../streams/streams.ts';
import type { DataStoreClient } from '../stores/data-store-client.ts';
import type { NeededFiltersClient } from '../transforms/needed-filters-client.ts';
import type { TransformTrials } from '../transforms/transform-trials.ts';
import type { Access } from './access.ts';
import type { StartOffsets } from './start-offsets.ts';
import type { Definitions } from './definitions.ts';
import type { WorkspaceSecrets } from '../secrets/workspace-secrets.ts';

/** Nest injects the parts into controllers by this class. */
export abstract class GatewayParts {
  /** Who may call: API keys, and sessions of the console. */
  abstract readonly access: Access;
  /** Seals and opens the secrets of a workspace. */
  abstract readonly secrets: WorkspaceSecrets;
  /** What is defined now, where the views would be too late: endpoints, channels, webhooks. */
  abstract readonly definitions: Definitions;
  /** Since when every attempt to a webhook has failed, epoch ms; null unless an alert reports it. */
  abstract readonly failingSince: (webhookId: string) => number | null;
  /** Remembers what was deleted recently. */
  abstract readonly deleted: DeletedThings;
  /** The live views. */
  abstract readonly views: () => ViewBuild;
  /** Finds the offsets at which new subscriptions begin. */
  abstract readonly beginnings: StartOffsets;
  /** Waits for the live views to pass a record. */
  abstract readonly viewsWatch: CheckpointWatch;
  /** Sends commands, and waits for their outcomes. */
  abstract readonly commands: Commands;
  /** Appends requests to other stages, and looks up records; returns only usable records. */
  abstract readonly log: CheckedLog;
  /** Ends a wait when the log has gone away. */
  abstract readonly watch: LogWatch;
  /** Answers of sources for which clients wait. */
  abstract readonly replies: ReplyRouter;
  abstract readonly publishing: EventPublisher;
  abstract readonly stores: DataStoreClient;
  abstract readonly takenFilters: FilterAcks;
  abstract readonly neededFilters: NeededFiltersClient;
  abstract readonly transforms: TransformTrials;
  abstract readonly webhookTests: DeliveryRequests<'WebhookTested'>;
  abstract readonly streams: Streams;
  abstract readonly history: HistoryReader;
  /** How long requests wait for each kind of answer. */
  abstract readonly limits: GatewayLimits;
  abstract readonly ambient: GatewayOptions['ambient'];
  /** Names this process to those who reply to it. */
  abstract readonly instanceId: string;
  /** The URLs of the service and of its endpoints. */
  abstract readonly addresses: Pick<GatewayOptions, 'publicUrl' | 'endpointUrl'>;
  /** Finds the client that sent a request, also through proxies. */
  abstract readonly proxies: TrustedProxies;
  abstract readonly logger: GatewayOptions['logger'];
}

/** The parts of these names. */
export type Parts<Name extends keyof GatewayParts> = Pick<GatewayParts, Name>;
