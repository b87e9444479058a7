// The control plane's state, and the decision about each command and hook outcome, with what it causes elsewhere.
import { evolveAccounts, noAccounts, restoreAccount, findAccount } from '../../domain/account/accounts.ts';
import { decideAccount } from '../../domain/account/decide.ts';
import type { AccountCommand, AccountDefinition } from '../../domain/account/messages.ts';
import { evolveAlerts, noAlerts } from '../../domain/alert/alerts.ts';
import { decideAlert } from '../../domain/alert/decide.ts';
import type { AlertCommand } from '../../domain/alert/messages.ts';
import type { Ambient } from '../../domain/ambient.ts';
import { decideHookOutcome, decideSource, decideUnusableOutcome } from '../../domain/source/process/decide.ts';
import type { Configuration } from '../../domain/source/process/configure.ts';
import type { SourceContext, SourceDecided } from '../../domain/source/process/deploy.ts';
import type { HookEvent, SourceCommand, CodeFetched } from '../../domain/source/messages.ts';
import {
  canBeSubscribedTo,
  canListen,
  evolveSources,
  noSources,
  restoreSource,
  sourcesUsing,
} from '../../domain/source/state/sources.ts';
import type { AnswerEvent } from '../../domain/definition/messages.ts';
import type {
  FilterDefinition,
  SubscriptionDefinition,
  WebhookDefinition,
} from '../../domain/listener/definition/messages.ts';
import type { SourceDefinition } from '../../domain/source/definition/messages.ts';
import { noRequests, restoreRequest } from '../../domain/definition/recorded-requests.ts';
import type { Json } from '../../domain/json.ts';
import { decideSourceDeleted, findEnded } from '../../domain/listener/cascade.ts';
import { decideListener } from '../../domain/listener/decide.ts';
import { isEverySource } from '../../domain/delivery/matching.ts';
import {
  evolveListeners,
  noListeners,
  restoreFilters,
  restoreSubscription,
  restoreWebhook,
} from '../../domain/listener/listeners.ts';
import type { ListenerCommand } from '../../domain/listener/messages.ts';
import type { LogRecord, Millis, StoredRecord } from '../../domain/message.ts';
import type { MessageOn } from '../../domain/messages-of.ts';
import { decideSaved, decideSavedOutcome, decideUnusableSaved } from '../../domain/saved/decide.ts';
import type { CodeCommand, SavedCommand, SavedDefinition } from '../../domain/saved/messages.ts';
import { decideFetch, decideFetched, decideUnusableFetch, isFetchId } from '../../domain/saved/fetch.ts';
import { evolveSaved, isComponentId, noSavedComponents, restoreSaved } from '../../domain/saved/saved.ts';
import { Keyring } from '../../domain/workspace/keyring.ts';
import { nonceBytes, seal, unseal } from '../../domain/secrets/seal.ts';
import type { WorkspaceCommand } from '../../domain/workspace/messages.ts';
import { decideWorkspace, evolveWorkspaces, isOwnerOf, noWorkspaces } from '../../domain/workspace/workspaces.ts';
import type { ConfiguredPlace } from './read-configuration.ts';
import type { FactTopic, LifecycleDecided } from './output-records.ts';

export type Command = MessageOn<'commands'>;

type FactOnEach = { [T in FactTopic | 'hooks']: { readonly topic: T; readonly record: MessageOn<T> } };
/** A record of lifecycle's own topics, or an outcome of `hooks`. */
export type Fact = FactOnEach[FactTopic | 'hooks'];

type Definition =
  | SourceDefinition
  | SavedDefinition
  | WebhookDefinition
  | SubscriptionDefinition
  | FilterDefinition
  | AccountDefinition
  | AnswerEvent;

export interface ControlPlaneOptions {
  readonly masterKey: Buffer;
  readonly ambient: Ambient;
}

export interface CommandContext {
  readonly at: Millis;
  /** Needed for CreateSubscription only. */
  readonly channelEnds: readonly number[];
}

export class ControlPlane {
  readonly workspaces = noWorkspaces();
  readonly requests = noRequests();
  readonly listeners = noListeners(this.requests);
  readonly sources = noSources(this.requests);
  readonly saved = noSavedComponents(this.requests);
  readonly accounts = noAccounts(this.requests);
  readonly alerts = noAlerts();
  readonly #keyring: Keyring;
  readonly #options: ControlPlaneOptions;

  constructor(options: ControlPlaneOptions) {
    this.#options = options;
    this.#keyring = new Keyring(options.masterKey);
  }

  /** `from`: the fact's offset, or a lower one. A data key that the master key does not open is not used. */
  evolve({ topic, record }: Fact, from = 0): void {
    switch (topic) {
      case 'workspaces':
        evolveWorkspaces(this.workspaces, record);
        return;
      case 'keys':
        this.#keyring.tryAccept(record);
        evolveWorkspaces(this.workspaces, record);
        return;
      case 'listeners':
        evolveListeners(this.listeners, record);
        return;
      case 'saves':
        evolveSaved(this.saved, record);
        return;
      case 'connections':
        evolveAccounts(this.accounts, record);
        return;
      case 'alerts':
        evolveAlerts(this.alerts, record);
        return;
      case 'components':
      case 'hooks':
        evolveSources(this.sources, record, from);
        return;
      // Requests to other stages: no decision here depends on them.
      case 'triggers':
        return;
      default:
        topic satisfies never;
    }
  }

  /** Restores state from a definition, instead of from the history that led to it. */
  restoreDefinition(definition: Definition): void {
    switch (definition.type) {
      case 'SavedDefined':
        return restoreSaved(this.saved, definition);
      case 'SourceDefined':
        return restoreSource(this.sources, definition);
      case 'WebhookDefined':
        return restoreWebhook(this.listeners, definition);
      case 'SubscriptionDefined':
        return restoreSubscription(this.listeners, definition);
      case 'FilterDefined':
        return restoreFilters(this.listeners, definition);
      case 'AccountDefined':
        return restoreAccount(this.accounts, definition);
      case 'AnswerKept': {
        const { key, ...stored } = definition.data;
        const gone = stored.stands !== true;
        restoreRequest(this.requests, key, { ...stored, workspace: definition.workspace, gone });
      }
    }
  }

  /** Call after all definitions are read: finds the subscriptions left by an unfinished cascade. */
  findEnded(): void {
    findEnded(this.listeners, (sourceId) => isEverySource(sourceId) || this.sources.byId.has(sourceId));
  }

  /** The Idempotency-Key of the request that made `id`; null: it had none, or nothing with this id exists. */
  requestKeyOf(id: string): string | null {
    const { webhooks, subscriptions } = this.listeners;
    const definition = this.sources.byId.get(id) ?? this.saved.byId.get(id) ?? this.accounts.byId.get(id);
    return (definition ?? webhooks.get(id) ?? subscriptions.get(id))?.requestKey ?? null;
  }

  /** Throws WrongMasterKeyError when no data key on the log opens. */
  checkKeys(): void {
    this.#keyring.check();
  }

  /** Throws WrongMasterKeyError for a key event that this master key does not open. */
  checkKey(record: LogRecord): void {
    new Keyring(this.#options.masterKey).accept(record);
  }

  decide(command: Command, context: CommandContext): readonly LifecycleDecided[] {
    switch (command.type) {
      case 'CreateWorkspace':
      case 'CreateApiKey':
      case 'DeleteApiKey':
      case 'NoteApiKeyUse':
      case 'EndSession':
        return decideWorkspace(this.workspaces, command satisfies WorkspaceCommand, context.at);
      case 'DeploySource':
      case 'UpdateSource':
      case 'DeleteSource':
        return this.#withCascade(decideSource(this.sources, command satisfies SourceCommand, context));
      case 'SaveComponent':
      case 'UnpublishComponent':
      case 'DeleteComponent':
        return decideSaved(this.saved, command satisfies SavedCommand, context);
      case 'FetchComponent':
        return decideFetch(this.requests, command satisfies CodeCommand, context.at);
      case 'CreateAccount':
      case 'UpdateAccount':
      case 'DeleteAccount':
        return decideAccount(this.accounts, command satisfies AccountCommand, {
          ...context,
          usersOf: (accountId) => sourcesUsing(this.sources, accountId),
        });
      case 'RaiseAlert':
      case 'EndAlert':
        return decideAlert(this.alerts, command satisfies AlertCommand);
      case 'ChangeAuditKey':
        // The audit stage carries it out.
        return [];
      default:
        return decideListener(this.listeners, command satisfies ListenerCommand, {
          ...context,
          sourceExists: (sourceId, as) =>
            canBeSubscribedTo(this.sources, sourceId, command.workspace) &&
            (as !== 'listener' || canListen(this.sources, sourceId)),
          isOwner: (ownerId) => isOwnerOf(this.workspaces, command.workspace, ownerId),
        });
    }
  }

  /** `currentConfiguration`: the one read at the place that `currentConfigurationPlace` returned. */
  decideOutcome(
    event: (HookEvent | CodeFetched) & Pick<StoredRecord, 'offset'>,
    at: Millis,
    currentConfiguration?: Configuration,
  ): readonly LifecycleDecided[] {
    if (event.type === 'CodeFetched' || event.type === 'ComponentsListed' || isFetchId(event.data.sourceId))
      return decideFetched(event, event.offset);
    if (isComponentId(event.data.sourceId)) return decideSavedOutcome(this.saved, event);
    const context = { ...this.#sourceContext(event.workspace, at), currentConfiguration };
    return this.#withCascade(decideHookOutcome(this.sources, event, context));
  }

  /** The place of the current configuration, which an update's description needs; undefined for other outcomes. */
  currentConfigurationPlace({ type, data }: HookEvent | CodeFetched): ConfiguredPlace | undefined {
    const { sourceId } = data;
    const source = this.sources.byId.get(sourceId);
    if (type !== 'SourceDescribed' || source?.status !== 'updating' || source.configuredFrom === null) return undefined;
    return { sourceId, revision: source.revision, from: source.configuredFrom };
  }

  /** Ends the deploy, update, save or fetch that waits for an outcome which cannot be read. */
  decideUnusable(sourceId: string, message: string): readonly LifecycleDecided[] {
    if (isFetchId(sourceId)) return decideUnusableFetch(sourceId, message);
    if (isComponentId(sourceId)) return decideUnusableSaved(this.saved, sourceId, message);
    return this.#withCascade(decideUnusableOutcome(this.sources, sourceId, message));
  }

  #withCascade(decided: readonly SourceDecided[]): readonly LifecycleDecided[] {
    const cascade = decided.flatMap((one) =>
      endsSource(one) ? decideSourceDeleted(this.listeners, one.data.sourceId) : [],
    );
    return [...cascade, ...decided];
  }

  #sourceContext(workspace: string, at: Millis): SourceContext {
    const dataKey = (): Buffer => {
      const key = this.#keyring.dataKey(workspace);
      if (key === undefined) throw new Error(`workspace ${workspace} has no data key`);
      return key;
    };
    return {
      at,
      seal: (value: Json) => seal(dataKey(), value, this.#options.ambient.randomBytes(nonceBytes), workspace),
      unseal: (sealed) => unseal(dataKey(), sealed, workspace),
      appOf: (accountId) => findAccount(this.accounts, accountId, workspace)?.app,
    };
  }
}

const endsSource = (one: SourceDecided): boolean =>
  one.type === 'SourceDeleted' || (one.type === 'SourceDeployRefused' && one.data.revision > 0);
