// What the gateway knows and uses: callers, endpoints, commands, sealed secrets.
import { testsWaitingMax } from '../../domain/delivery/attempt/tested.ts';
import type { LiveAlert } from '../../domain/alert/alerts.ts';
import type { Json } from '../../domain/json.ts';
import { nonceBytes, seal, sealBytes, unseal } from '../../domain/secrets/seal.ts';
import type { Sealed } from '../../domain/secrets/sealed.ts';
import type { ViewBuild } from '../../view-store/view-store.ts';
import { Commands } from './commands/commands.ts';
import { EndedSessions } from './control/access/ended-sessions.ts';
import { KeyUses } from './control/access/key-uses.ts';
import { ApiKeys, isExpired } from './control/api-keys.ts';
import type { ApiKey } from './control/api-keys.ts';
import { Coalesced } from './control/coalesced.ts';
import { ControlTail } from './control/control-tail.ts';
import { Channels } from './control/registry/channels.ts';
import type { Channel } from './control/registry/channels.ts';
import { DeletedThings } from './control/registry/deleted.ts';
import { Endpoints } from './control/registry/endpoints.ts';
import type { Endpoint } from './control/registry/endpoints.ts';
import { KeyringFollower } from './control/keyring-follower.ts';
import { LiveAlerts } from './control/live-alerts.ts';
import { LogWatch } from './control/log-watch.ts';
import { Outcomes } from './control/waiting/outcomes.ts';
import { TakenFilters } from './control/taken-filters.ts';
import { WebhookPlaces } from './control/registry/webhook-places.ts';
import { ReplyDesk } from './endpoint/reply-desk.ts';
import { firstOwnerOf, prepareFirstKey } from './first-key.ts';
import { defaultLimits } from './gateway-options.ts';
import type { GatewayLimits, GatewayOptions } from './gateway-options.ts';
import { unavailable } from './http/api-problem.ts';
import { PublishDesk } from './publish/publish-desk.ts';
import { OneTimeLinks } from './session/one-time-links.ts';
import { Sessions } from './session/sessions.ts';
import type { Session } from './session/sessions.ts';
import { Streams } from './streams/streams.ts';
import { DeliveryQuestions } from './control/waiting/delivery-questions.ts';
import { TransformDesk } from './transforms/transform-desk.ts';
import { CheckedLog } from '../loop/reading/checked-log.ts';
import { Trouble } from '../loop/reading/reading-trouble.ts';
import type { Runnable } from '../loop/strategy.ts';

/** Before a 401 or 404 the log is read to its ends; if that takes longer, the log is in trouble. */
const currentMs = 2_000;

export type UnusableKey = 'not known' | 'expired';

export class Gateway implements Runnable {
  readonly name = 'gateway';
  readonly options: GatewayOptions;
  /** Gives only usable records. */
  readonly log: CheckedLog;
  limits: GatewayLimits;
  readonly commands: Commands;
  readonly deleted = new DeletedThings();
  readonly replies: ReplyDesk;
  readonly publishing: PublishDesk;
  readonly takenFilters: TakenFilters;
  readonly transforms: TransformDesk;
  readonly webhookTests: DeliveryQuestions<'WebhookTested'>;
  readonly watch: LogWatch;
  readonly streams: Streams;
  readonly apiKeys = new ApiKeys();
  readonly keyUses: KeyUses;
  readonly sessions: Sessions;
  readonly links: OneTimeLinks;
  readonly #endedSessions: EndedSessions;
  #firstKeyHash: string | undefined;
  readonly #endpoints: Endpoints;
  readonly #webhooks = new WebhookPlaces();
  readonly #channels = new Channels();
  readonly #outcomes = new Outcomes();
  readonly #keyring: KeyringFollower;
  readonly #liveAlerts = new LiveAlerts();
  readonly #tail: ControlTail;
  #onFatal: (error: unknown) => void = () => {};
  readonly #current = new Coalesced(() => this.#tail.caughtUp(currentMs));

  constructor(options: GatewayOptions) {
    const { log, views, ambient, alerts, logger } = options;
    this.options = options;
    this.limits = { ...defaultLimits, ...options.limits };
    this.watch = new LogWatch(log);
    this.sessions = new Sessions(options);
    this.links = new OneTimeLinks(ambient);
    this.#endedSessions = new EndedSessions(ambient.now);
    this.#keyring = new KeyringFollower(options.masterKey, alerts);
    this.#endpoints = new Endpoints(log.partitions);
    const defined = [
      this.#keyring,
      this.apiKeys,
      this.#endedSessions,
      this.#endpoints,
      this.#webhooks,
      this.#channels,
      this.#liveAlerts,
    ];
    const followers = [...defined, this.deleted, this.#outcomes];
    const trouble = new Trouble(alerts, logger);
    this.log = new CheckedLog(log, trouble);
    const onFatal = (error: unknown): void => this.#onFatal(error);
    this.#tail = new ControlTail({ log: this.log, tolerate: trouble.tolerate, followers, onFatal });
    this.commands = new Commands({
      log,
      views,
      ambient,
      outcomes: this.#outcomes,
      tail: this.#tail,
      watch: this.watch,
      limits: this.limits,
    });
    this.keyUses = new KeyUses({
      now: ambient.now,
      tell: ({ keyId, workspace }, usedAt) =>
        this.commands.tell(
          { workspace, actor: 'gateway' },
          { type: 'NoteApiKeyUse', key: keyId, data: { keyId, usedAt } },
        ),
    });
    this.replies = new ReplyDesk(log, options.instanceId);
    this.publishing = new PublishDesk({
      ...{ ambient, instanceId: options.instanceId, log, watch: this.watch, limits: () => this.limits },
      isFull: (sourceId) => this.replies.isFull(sourceId),
    });
    this.takenFilters = new TakenFilters(log, options.instanceId);
    this.transforms = new TransformDesk({
      ...{ ambient, instanceId: options.instanceId, log, watch: this.watch, limits: () => this.limits },
    });
    this.webhookTests = new DeliveryQuestions({
      ...{ log, watch: this.watch, instanceId: options.instanceId, type: 'WebhookTested' },
      ...{ places: testsWaitingMax, tooMany: 'Too many tests of webhooks are under way.' },
    });
    this.streams = new Streams({
      views: () => this.views(),
      partitions: log.partitions,
      isDeleted: (sourceId) => this.deleted.find(sourceId) !== undefined,
      beatMs: () => this.limits.beatMs,
      onFault: (error) => logger.error({ err: error }, 'a stream failed'),
    });
  }

  /**
   * Reads the log, then prepares the first API key, for which lifecycle must run. Resolves once requests can be
   * answered. If records of a newer program stop the reading, it knows too little to make a key: it starts without one,
   * and health says so. Throws WrongMasterKeyError.
   */
  async start(onFatal: (error: unknown) => void): Promise<void> {
    this.#onFatal = onFatal;
    const { dataDir, log, masterKey, ambient, logger } = this.options;
    await this.#tail.start();
    this.#keyring.check();
    this.replies.open();
    this.publishing.open();
    this.transforms.open();
    this.webhookTests.open();
    if (this.#tail.newer !== undefined) return;
    const owner = this.apiKeys.first ?? firstOwnerOf(masterKey);
    this.#firstKeyHash = await prepareFirstKey({
      dataDir,
      log,
      masterKey,
      ambient,
      owner,
      usable: (hash) => {
        const key = this.apiKeys.find(hash);
        return key !== undefined && this.#keyring.dataKey(key.workspace) !== undefined;
      },
      wasDeleted: (hash) => this.apiKeys.wasDeleted(hash),
      logger,
    });
  }

  /** Answers every waiting request with 503. */
  async stop(): Promise<void> {
    this.streams.close();
    this.#outcomes.close();
    this.replies.close();
    this.publishing.close();
    this.takenFilters.close();
    this.transforms.close();
    this.webhookTests.close();
    await this.#tail.stop();
  }

  /** The key with this hash, or why there is none that may be used. */
  async keyOf(apiKeyHash: string): Promise<ApiKey | UnusableKey> {
    const known = this.standingKey(apiKeyHash);
    if (known !== 'not known') return known;
    await this.#becomeCurrent();
    return this.standingKey(apiKeyHash);
  }

  /** Signs in once, as the key in the data directory; undefined: that may not be used. */
  signInToken(): string | undefined {
    const hash = this.#firstKeyHash;
    return hash === undefined || typeof this.standingKey(hash) === 'string' ? undefined : this.links.issue(hash);
  }

  /** Whether the session has neither ended nor expired. */
  isSignedIn({ workspace }: ApiKey, session: Session): boolean {
    return session.expiresAt > this.options.ambient.now() && !this.#endedSessions.has(workspace, session);
  }

  /** As they are now. */
  async apiKeysOf(workspace: string): Promise<readonly ApiKey[]> {
    await this.#becomeCurrent();
    return this.apiKeys.ofWorkspace(workspace);
  }

  /** The same, from memory. */
  standingKey(apiKeyHash: string): ApiKey | UnusableKey {
    const key = this.apiKeys.find(apiKeyHash);
    if (key === undefined) return 'not known';
    return isExpired(key, this.options.ambient.now()) ? 'expired' : key;
  }

  /** From memory, without reading the log: the hot path. */
  knownEndpoint(endpointKey: string): Endpoint | undefined {
    return this.#endpoints.find(endpointKey);
  }

  /** Undefined: there is no such endpoint now. */
  async endpointOf(endpointKey: string): Promise<Endpoint | undefined> {
    await this.#becomeCurrent();
    const endpoint = this.#endpoints.find(endpointKey);
    if (endpoint === undefined && !this.#endpoints.isComplete)
      throw unavailable('What stands of sources is not put down on the log yet.');
    return endpoint;
  }

  /** Undefined: there is no such source now, or the source runs a component. */
  async channelOf(sourceId: string): Promise<Channel | undefined> {
    const known = this.#channels.find(sourceId);
    if (known !== undefined) return known;
    await this.#becomeCurrent();
    return this.#channels.find(sourceId);
  }

  /** Offset of its newest definition on `webhooks`; undefined: there is no such webhook now. */
  async webhookPlaceOf(webhookId: string): Promise<number | undefined> {
    await this.#becomeCurrent();
    return this.#webhooks.find(webhookId);
  }

  get healthy(): boolean {
    return this.#tail.healthy;
  }

  get trouble(): string | undefined {
    return this.#tail.trouble;
  }

  get idleMs(): number {
    return this.#tail.idleMs;
  }

  get alerts(): readonly LiveAlert[] {
    return this.#liveAlerts.at(this.options.ambient.now());
  }

  /** The live views. */
  views(): ViewBuild {
    return this.options.views.live();
  }

  dataKey(workspace: string): Buffer {
    const key = this.#keyring.dataKey(workspace);
    if (key === undefined) throw unavailable('The data key of this workspace is not on the log.');
    return key;
  }

  seal(workspace: string, value: Json): Sealed {
    return seal(this.dataKey(workspace), value, this.options.ambient.randomBytes(nonceBytes), workspace);
  }

  sealBytes(workspace: string, bytes: Buffer): Sealed {
    return sealBytes(this.dataKey(workspace), bytes, this.options.ambient.randomBytes(nonceBytes), workspace);
  }

  unseal(workspace: string, sealed: Sealed): Json {
    return unseal(this.dataKey(workspace), sealed, workspace);
  }

  async #becomeCurrent(): Promise<void> {
    if (!(await this.#current.run())) throw unavailable('The log could not be read to its end in time.');
  }
}
