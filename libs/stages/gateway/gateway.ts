// The gateway as a process: builds its parts, follows the log, starts, stops, and reports its health.
import { testsWaitingMax } from '../../domain/delivery/attempt/webhook-test.ts';
import type { LiveAlert } from '../../domain/alert/alerts.ts';
import { CheckpointWatch } from '../../view-store/checkpoint-watch.ts';
import type { ViewBuild } from '../../view-store/view-store.ts';
import { CheckedLog } from '../loop/reading/checked-log.ts';
import { AlertingReporter } from '../loop/reading/alerting-reporter.ts';
import { withoutAddresses } from '../loop/reporting/stalled.ts';
import type { Runnable } from '../loop/strategy.ts';
import { Commands } from './commands/commands.ts';
import { EndedSessions } from './control/access/ended-sessions.ts';
import { KeyUses } from './control/access/key-uses.ts';
import { KnownApiKeys } from './control/api-keys.ts';
import { CoalescedCheck } from './control/coalesced-check.ts';
import { ControlTail } from './control/control-tail.ts';
import { KeyringFollower } from './control/keyring-follower.ts';
import { LiveAlerts } from './control/live-alerts.ts';
import { LogWatch } from './control/log-watch.ts';
import { Channels } from './control/registry/channels.ts';
import { DeletedThings } from './control/registry/deleted-things.ts';
import { Endpoints } from './control/registry/endpoints.ts';
import { WebhookOffsets } from './control/registry/webhook-offsets.ts';
import { FilterAcks } from './control/filter-acks.ts';
import { DeliveryRequests } from './control/waiting/delivery-requests.ts';
import { Outcomes } from './control/waiting/outcomes.ts';
import { ReplyRouter } from './control/waiting/reply-router.ts';
import { firstOwnerOf, prepareFirstKey } from './first-key.ts';
import { defaultLimits } from './gateway-options.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { unavailable } from './http/api-problem.ts';
import { TrustedProxies } from './http/proxies/trusted-proxies.ts';
import { Access } from './parts/access.ts';
import { StartOffsets } from './parts/start-offsets.ts';
import { Definitions } from './parts/definitions.ts';
import type { GatewayParts } from './parts/parts.ts';
import { WorkspaceSecrets } from './secrets/workspace-secrets.ts';
import { EventPublisher } from './publish/event-publisher.ts';
import { OneTimeLinks } from './session/one-time-links.ts';
import { Sessions } from './session/sessions.ts';
import { HistoryReader } from './history/history-reader.ts';
import { Streams } from './streams/streams.ts';
import { DataStoreClient } from './stores/data-store-client.ts';
import { NeededFiltersClient } from './transforms/needed-filters-client.ts';
import { TransformTrials } from './transforms/transform-trials.ts';
import { FilledViews } from './views/filled-views.ts';
import { DamageDetectingViews } from './views/damage-detecting-views.ts';
import { ViewsWithoutDeleted } from './views/views-without-deleted.ts';
import { ViewsWithoutRemoved } from './views/views-without-removed.ts';

/** Before a 401 or 404 the log is read to its end; if that takes longer than this, the answer is 503 instead. */
const catchUpMs = 2_000;

export class Gateway implements Runnable {
  readonly name = 'gateway';
  readonly parts: GatewayParts;
  readonly #options: GatewayOptions;
  readonly #apiKeys = new KnownApiKeys();
  readonly #outcomes = new Outcomes();
  readonly #keyring: KeyringFollower;
  readonly #liveAlerts = new LiveAlerts();
  readonly #tail: ControlTail;
  readonly #views: DamageDetectingViews;
  #onFatal: (error: unknown) => void = () => {};

  constructor(options: GatewayOptions) {
    const { ambient, alerts, logger } = options;
    this.#options = options;
    this.#keyring = new KeyringFollower(options.masterKey, alerts);
    const registry = {
      endpoints: new Endpoints(options.log.partitions),
      webhooks: new WebhookOffsets(),
      channels: new Channels(),
      deleted: new DeletedThings(),
      endedSessions: new EndedSessions(ambient.now),
    };
    this.#views = new DamageDetectingViews(options.views.live(), (error) =>
      logger.error({ reason: error.message }, 'the views are damaged'),
    );
    const trouble = new AlertingReporter(alerts, logger);
    const log = new CheckedLog(options.log, trouble);
    this.#tail = new ControlTail({
      log,
      tolerate: trouble.tolerate,
      // The outcomes come last: all others know a record before a request that waits for it continues.
      followers: [this.#keyring, this.#apiKeys, ...Object.values(registry), this.#liveAlerts, this.#outcomes],
      onFatal: (error) => this.#onFatal(error),
    });
    this.parts = this.#createParts(log, registry);
  }

  /**
   * Reads the log, then prepares the first API key, for which lifecycle must be running. Resolves once requests can be
   * answered. If a record of a newer program stops the reading, too little is known to make a key: it starts without
   * one, and its health reports this. Throws WrongMasterKeyError.
   */
  async start(onFatal: (error: unknown) => void): Promise<void> {
    this.#onFatal = onFatal;
    const { dataDir, log, masterKey, ambient, logger } = this.#options;
    const { access, replies, publishing, stores, neededFilters, transforms, webhookTests } = this.parts;
    await this.#tail.start();
    this.#keyring.check();
    for (const receiver of [replies, publishing, stores, neededFilters, transforms, webhookTests]) receiver.open();
    if (this.#tail.newerRecord !== undefined) return;
    const owner = this.#apiKeys.firstOwner ?? firstOwnerOf(masterKey);
    const isUsable = (hash: string): boolean => {
      const key = this.#apiKeys.find(hash);
      return key !== undefined && this.#keyring.dataKey(key.workspace) !== undefined;
    };
    const wasDeleted = (hash: string): boolean => this.#apiKeys.wasDeleted(hash);
    const keyOptions = { dataDir, log, masterKey, ambient, logger };
    access.setFirstKey(await prepareFirstKey({ ...keyOptions, owner, isUsable, wasDeleted }));
  }

  /** Answers every waiting request with 503. */
  async stop(): Promise<void> {
    const { streams, history, replies, publishing, stores, takenFilters, neededFilters, transforms, webhookTests } =
      this.parts;
    streams.close();
    history.close();
    this.#outcomes.close();
    const receivers = [replies, publishing, stores, takenFilters, neededFilters, transforms, webhookTests];
    for (const receiver of receivers) receiver.close();
    await this.#tail.stop();
  }

  get healthy(): boolean {
    return this.trouble === undefined;
  }

  get trouble(): string | undefined {
    const { damage } = this.#views;
    return this.#tail.trouble ?? (damage && withoutAddresses(damage.message));
  }

  get idleMs(): number {
    return this.#tail.idleMs;
  }

  get alerts(): readonly LiveAlert[] {
    return this.#liveAlerts.liveAt(this.#options.ambient.now());
  }

  #createParts(log: CheckedLog, registry: Registry): GatewayParts {
    const { ambient, instanceId, logger, publicUrl, endpointUrl, trustedProxies } = this.#options;
    const limits = { ...defaultLimits, ...this.#options.limits };
    const requestViews = this.#createViews();
    const views: GatewayParts['views'] = () => requestViews;
    const watch = new LogWatch(log);
    const commands = this.#createCommands(log, watch, limits);
    const replies = new ReplyRouter(log, instanceId, limits);
    const secrets = new WorkspaceSecrets(this.#keyring, ambient);
    const requestOptions = { ambient, instanceId, log, watch, limits };
    const currentCheck = new CoalescedCheck(() => this.#tail.waitUntilCaughtUp(catchUpMs));
    const ensureCurrent = async (): Promise<void> => {
      if (!(await currentCheck.run())) throw unavailable('The log could not be read to its end in time.');
    };
    return {
      ambient,
      instanceId,
      log,
      watch,
      limits,
      logger,
      views,
      beginnings: new StartOffsets(log),
      viewsWatch: new CheckpointWatch(() => requestViews.checkpoint()),
      commands,
      replies,
      addresses: { publicUrl, endpointUrl },
      proxies: new TrustedProxies(trustedProxies),
      access: this.#createAccess(commands, registry, ensureCurrent),
      secrets,
      failingSince: (webhookId) => this.#liveAlerts.failingSince(webhookId, ambient.now()),
      stores: new DataStoreClient({ ...requestOptions, secrets }),
      definitions: new Definitions({ ...registry, ensureCurrent }),
      deleted: registry.deleted,
      publishing: new EventPublisher({ ...requestOptions, isSourceFull: (sourceId) => replies.isSourceFull(sourceId) }),
      takenFilters: new FilterAcks(log, instanceId),
      neededFilters: new NeededFiltersClient(requestOptions),
      transforms: new TransformTrials(requestOptions),
      webhookTests: new DeliveryRequests({
        ...requestOptions,
        type: 'WebhookTested',
        slotLimits: testsWaitingMax,
        tooManyMessage: 'Too many tests of webhooks are under way.',
      }),
      streams: new Streams({
        views,
        partitions: log.partitions,
        isDeleted: (sourceId) => registry.deleted.find(sourceId) !== undefined,
        heartbeatMs: () => limits.heartbeatMs,
        onFault: (error) => logger.error({ err: error }, 'a stream failed'),
      }),
      history: this.#createHistory(views, limits),
    };
  }

  #createHistory(views: GatewayParts['views'], limits: GatewayParts['limits']): HistoryReader {
    const { log, logger } = this.#options;
    return new HistoryReader({
      // The unchecked log: the stages that read unusable records have already reported them.
      log,
      views,
      heartbeatMs: () => limits.heartbeatMs,
      onFault: (error) => logger.error({ err: error }, 'a stream of history failed'),
    });
  }

  /** The views as requests read them. */
  #createViews(): ViewBuild {
    const { ambient, log } = this.#options;
    const filledViews = new FilledViews(this.#views, log, { now: ambient.now });
    return new ViewsWithoutDeleted(new ViewsWithoutRemoved(filledViews), log.partitions);
  }

  #createCommands(log: CheckedLog, watch: LogWatch, limits: GatewayParts['limits']): Commands {
    const { ambient, views } = this.#options;
    return new Commands({ log, views, ambient, outcomes: this.#outcomes, tail: this.#tail, watch, limits });
  }

  #createAccess(commands: Commands, { endedSessions }: Registry, ensureCurrent: () => Promise<void>): Access {
    const { ambient } = this.#options;
    const keyUses = new KeyUses({
      now: ambient.now,
      report: ({ keyId, workspace }, usedAt) =>
        commands.sendWithoutWaiting(
          { workspace, actor: 'gateway' },
          { type: 'NoteApiKeyUse', key: keyId, data: { keyId, usedAt } },
        ),
    });
    const sessions = new Sessions(this.#options);
    const links = new OneTimeLinks(ambient);
    return new Access({ ambient, apiKeys: this.#apiKeys, keyUses, sessions, endedSessions, links, ensureCurrent });
  }
}

/** What the log says about definitions, kept in memory. */
interface Registry {
  readonly endpoints: Endpoints;
  readonly webhooks: WebhookOffsets;
  readonly channels: Channels;
  readonly deleted: DeletedThings;
  readonly endedSessions: EndedSessions;
}
