// The gateway as a process: builds its parts, follows the log, starts, stops, and reports its health.
import { testsWaitingMax } from '../../domain/delivery/attempt/tested.ts';
import type { LiveAlert } from '../../domain/alert/alerts.ts';
import { CheckpointWatch } from '../../view-store/checkpoint-watch.ts';
import type { ViewBuild } from '../../view-store/view-store.ts';
import { CheckedLog } from '../loop/reading/checked-log.ts';
import { Trouble } from '../loop/reading/reading-trouble.ts';
import { withoutPlaces } from '../loop/reporting/stalled.ts';
import type { Runnable } from '../loop/strategy.ts';
import { Commands } from './commands/commands.ts';
import { EndedSessions } from './control/access/ended-sessions.ts';
import { KeyUses } from './control/access/key-uses.ts';
import { KnownApiKeys } from './control/api-keys.ts';
import { Coalesced } from './control/coalesced.ts';
import { ControlTail } from './control/control-tail.ts';
import { KeyringFollower } from './control/keyring-follower.ts';
import { LiveAlerts } from './control/live-alerts.ts';
import { LogWatch } from './control/log-watch.ts';
import { Channels } from './control/registry/channels.ts';
import { DeletedThings } from './control/registry/deleted.ts';
import { Endpoints } from './control/registry/endpoints.ts';
import { WebhookPlaces } from './control/registry/webhook-places.ts';
import { TakenFilters } from './control/taken-filters.ts';
import { DeliveryQuestions } from './control/waiting/delivery-questions.ts';
import { Outcomes } from './control/waiting/outcomes.ts';
import { ReplyDesk } from './control/waiting/reply-desk.ts';
import { firstOwnerOf, prepareFirstKey } from './first-key.ts';
import { defaultLimits } from './gateway-options.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { unavailable } from './http/api-problem.ts';
import { TrustedProxies } from './http/proxies/trusted-proxies.ts';
import { Access } from './parts/access.ts';
import { Beginnings } from './parts/beginnings.ts';
import { Definitions } from './parts/definitions.ts';
import type { GatewayParts } from './parts/parts.ts';
import { WorkspaceSecrets } from './secrets/workspace-secrets.ts';
import { PublishDesk } from './publish/publish-desk.ts';
import { OneTimeLinks } from './session/one-time-links.ts';
import { Sessions } from './session/sessions.ts';
import { HistoryDesk } from './history/history-desk.ts';
import { Streams } from './streams/streams.ts';
import { StoreDesk } from './stores/store-desk.ts';
import { NeededFiltersDesk } from './transforms/needed-filters-desk.ts';
import { TransformDesk } from './transforms/transform-desk.ts';
import { OnceFilled } from './views/once-filled.ts';
import { UnlessDamaged } from './views/unless-damaged.ts';
import { WithoutDeleted } from './views/without-deleted.ts';
import { WithoutNoted } from './views/without-noted.ts';

/** Before a 401 or 404 the log is read to its end; if that takes longer than this, the answer is 503 instead. */
const currentMs = 2_000;

export class Gateway implements Runnable {
  readonly name = 'gateway';
  readonly parts: GatewayParts;
  readonly #options: GatewayOptions;
  readonly #apiKeys = new KnownApiKeys();
  readonly #outcomes = new Outcomes();
  readonly #keyring: KeyringFollower;
  readonly #liveAlerts = new LiveAlerts();
  readonly #tail: ControlTail;
  readonly #views: UnlessDamaged;
  #onFatal: (error: unknown) => void = () => {};

  constructor(options: GatewayOptions) {
    const { ambient, alerts, logger } = options;
    this.#options = options;
    this.#keyring = new KeyringFollower(options.masterKey, alerts);
    const registry = {
      endpoints: new Endpoints(options.log.partitions),
      webhooks: new WebhookPlaces(),
      channels: new Channels(),
      deleted: new DeletedThings(),
      endedSessions: new EndedSessions(ambient.now),
    };
    this.#views = new UnlessDamaged(options.views.live(), (error) =>
      logger.error({ reason: error.message }, 'the views are damaged'),
    );
    const trouble = new Trouble(alerts, logger);
    const log = new CheckedLog(options.log, trouble);
    this.#tail = new ControlTail({
      log,
      tolerate: trouble.tolerate,
      // The outcomes come last: all others know a record before a request that waits for it continues.
      followers: [this.#keyring, this.#apiKeys, ...Object.values(registry), this.#liveAlerts, this.#outcomes],
      onFatal: (error) => this.#onFatal(error),
    });
    this.parts = this.#build(log, registry);
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
    for (const desk of [replies, publishing, stores, neededFilters, transforms, webhookTests]) desk.open();
    if (this.#tail.newer !== undefined) return;
    const owner = this.#apiKeys.first ?? firstOwnerOf(masterKey);
    const usable = (hash: string): boolean => {
      const key = this.#apiKeys.find(hash);
      return key !== undefined && this.#keyring.dataKey(key.workspace) !== undefined;
    };
    const wasDeleted = (hash: string): boolean => this.#apiKeys.wasDeleted(hash);
    const place = { dataDir, log, masterKey, ambient, logger };
    access.knowFirstKey(await prepareFirstKey({ ...place, owner, usable, wasDeleted }));
  }

  /** Answers every waiting request with 503. */
  async stop(): Promise<void> {
    const { streams, history, replies, publishing, stores, takenFilters, neededFilters, transforms, webhookTests } =
      this.parts;
    streams.close();
    history.close();
    this.#outcomes.close();
    const desks = [replies, publishing, stores, takenFilters, neededFilters, transforms, webhookTests];
    for (const desk of desks) desk.close();
    await this.#tail.stop();
  }

  get healthy(): boolean {
    return this.trouble === undefined;
  }

  get trouble(): string | undefined {
    const { damage } = this.#views;
    return this.#tail.trouble ?? (damage && withoutPlaces(damage.message));
  }

  get idleMs(): number {
    return this.#tail.idleMs;
  }

  get alerts(): readonly LiveAlert[] {
    return this.#liveAlerts.at(this.#options.ambient.now());
  }

  #build(log: CheckedLog, registry: Registry): GatewayParts {
    const { ambient, instanceId, logger, publicUrl, endpointUrl, trustedProxies } = this.#options;
    const limits = { ...defaultLimits, ...this.#options.limits };
    const shown = this.#shown();
    const views: GatewayParts['views'] = () => shown;
    const watch = new LogWatch(log);
    const commands = this.#commands(log, watch, limits);
    const replies = new ReplyDesk(log, instanceId, limits);
    const secrets = new WorkspaceSecrets(this.#keyring, ambient);
    const asking = { ambient, instanceId, log, watch, limits };
    const current = new Coalesced(() => this.#tail.caughtUp(currentMs));
    const becomeCurrent = async (): Promise<void> => {
      if (!(await current.run())) throw unavailable('The log could not be read to its end in time.');
    };
    return {
      ambient,
      instanceId,
      log,
      watch,
      limits,
      logger,
      views,
      beginnings: new Beginnings(log),
      viewsWatch: new CheckpointWatch(() => shown.checkpoint()),
      commands,
      replies,
      addresses: { publicUrl, endpointUrl },
      proxies: new TrustedProxies(trustedProxies),
      access: this.#access(commands, registry, becomeCurrent),
      secrets,
      failingSince: (webhookId) => this.#liveAlerts.failingSince(webhookId, ambient.now()),
      stores: new StoreDesk({ ...asking, secrets }),
      definitions: new Definitions({ ...registry, becomeCurrent }),
      deleted: registry.deleted,
      publishing: new PublishDesk({ ...asking, isFull: (sourceId) => replies.isFull(sourceId) }),
      takenFilters: new TakenFilters(log, instanceId),
      neededFilters: new NeededFiltersDesk(asking),
      transforms: new TransformDesk(asking),
      webhookTests: new DeliveryQuestions({
        ...asking,
        type: 'WebhookTested',
        places: testsWaitingMax,
        tooMany: 'Too many tests of webhooks are under way.',
      }),
      streams: new Streams({
        views,
        partitions: log.partitions,
        isDeleted: (sourceId) => registry.deleted.find(sourceId) !== undefined,
        beatMs: () => limits.beatMs,
        onFault: (error) => logger.error({ err: error }, 'a stream failed'),
      }),
      history: this.#history(views, limits),
    };
  }

  #history(views: GatewayParts['views'], limits: GatewayParts['limits']): HistoryDesk {
    const { log, logger } = this.#options;
    return new HistoryDesk({
      // The unchecked log: the stages that read unusable records have already reported them.
      log,
      views,
      beatMs: () => limits.beatMs,
      onFault: (error) => logger.error({ err: error }, 'a stream of history failed'),
    });
  }

  /** The views as requests read them. */
  #shown(): ViewBuild {
    const { ambient, log } = this.#options;
    const filled = new OnceFilled(this.#views, log, { now: ambient.now });
    return new WithoutDeleted(new WithoutNoted(filled), log.partitions);
  }

  #commands(log: CheckedLog, watch: LogWatch, limits: GatewayParts['limits']): Commands {
    const { ambient, views } = this.#options;
    return new Commands({ log, views, ambient, outcomes: this.#outcomes, tail: this.#tail, watch, limits });
  }

  #access(commands: Commands, { endedSessions }: Registry, becomeCurrent: () => Promise<void>): Access {
    const { ambient } = this.#options;
    const keyUses = new KeyUses({
      now: ambient.now,
      tell: ({ keyId, workspace }, usedAt) =>
        commands.tell({ workspace, actor: 'gateway' }, { type: 'NoteApiKeyUse', key: keyId, data: { keyId, usedAt } }),
    });
    const sessions = new Sessions(this.#options);
    const links = new OneTimeLinks(ambient);
    return new Access({ ambient, apiKeys: this.#apiKeys, keyUses, sessions, endedSessions, links, becomeCurrent });
  }
}

/** What the log says about definitions, kept in memory. */
interface Registry {
  readonly endpoints: Endpoints;
  readonly webhooks: WebhookPlaces;
  readonly channels: Channels;
  readonly deleted: DeletedThings;
  readonly endedSessions: EndedSessions;
}
