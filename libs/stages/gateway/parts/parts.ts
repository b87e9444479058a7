// The parts with which requests are answered. Each user names in its parameter the few that it needs: `Parts<'views' |
// 'commands'>`.
import type { CheckpointWatch } from '../../../view-store/checkpoint-watch.ts';
import type { ViewBuild } from '../../../view-store/view-store.ts';
import type { CheckedLog } from '../../loop/reading/checked-log.ts';
import type { Commands } from '../commands/commands.ts';
import type { LogWatch } from '../control/log-watch.ts';
import type { DeletedThings } from '../control/registry/deleted.ts';
import type { TakenFilters } from '../control/taken-filters.ts';
import type { DeliveryQuestions } from '../control/waiting/delivery-questions.ts';
import type { ReplyDesk } from '../control/waiting/reply-desk.ts';
import type { GatewayLimits, GatewayOptions } from '../gateway-options.ts';
import type { TrustedProxies } from '../http/proxies/trusted-proxies.ts';
import type { HistoryDesk } from '../history/history-desk.ts';
import type { PublishDesk } from '../publish/publish-desk.ts';
import type { Streams } from '../streams/streams.ts';
import type { StoreDesk } from '../stores/store-desk.ts';
import type { NeededFiltersDesk } from '../transforms/needed-filters-desk.ts';
import type { TransformDesk } from '../transforms/transform-desk.ts';
import type { Access } from './access.ts';
import type { Beginnings } from './beginnings.ts';
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
  abstract readonly beginnings: Beginnings;
  /** Waits for the live views to pass a record. */
  abstract readonly viewsWatch: CheckpointWatch;
  /** Sends commands, and waits for their outcomes. */
  abstract readonly commands: Commands;
  /** Appends requests to other stages, and looks up records; returns only usable records. */
  abstract readonly log: CheckedLog;
  /** Ends a wait when the log has gone away. */
  abstract readonly watch: LogWatch;
  /** Answers of sources for which clients wait. */
  abstract readonly replies: ReplyDesk;
  abstract readonly publishing: PublishDesk;
  abstract readonly stores: StoreDesk;
  abstract readonly takenFilters: TakenFilters;
  abstract readonly neededFilters: NeededFiltersDesk;
  abstract readonly transforms: TransformDesk;
  abstract readonly webhookTests: DeliveryQuestions<'WebhookTested'>;
  abstract readonly streams: Streams;
  abstract readonly history: HistoryDesk;
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
