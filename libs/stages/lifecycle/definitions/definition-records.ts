// Makes the definitions and tombstones that record the state after each fact, appended with the facts.
import { accountDefinition } from '../../../domain/account/accounts.ts';
import type { AccountEvent } from '../../../domain/account/messages.ts';
import { versionOfDefinition } from '../../../domain/source/source-version.ts';
import { sourceDefinition } from '../../../domain/source/state/sources.ts';
import { filterKey } from '../../../domain/listener/definition/messages.ts';
import type { AnswerEvent } from '../../../domain/definition/messages.ts';
import type { FilterDefinition, SubscriptionDefinition } from '../../../domain/listener/definition/messages.ts';
import { answerEventOf, madeByOf } from '../../../domain/definition/recorded-requests.ts';
import { newestVersion } from '../../../domain/delivery/filter/filter-history.ts';
import { isEverySource } from '../../../domain/delivery/matching.ts';
import { partitionOf } from '../../../domain/flow.ts';
import { derivedId, isSourceId } from '../../../domain/id.ts';
import { removeEnded } from '../../../domain/listener/cascade.ts';
import type { SavedEvent } from '../../../domain/saved/messages.ts';
import { isFetch, savedDefinition, tiedRequest } from '../../../domain/saved/saved.ts';
import { versionOf } from '../../../domain/record/record-version.ts';
import { webhookDefinition } from '../../../domain/listener/listeners.ts';
import type { ListenerEvent, SubscriptionTriple } from '../../../domain/listener/messages.ts';
import type { SourceEvent } from '../../../domain/source/messages.ts';
import type { Decided, LogRecord, Millis } from '../../../domain/message.ts';
import type { MessagesOf } from '../../../domain/messages-of.ts';
import { chainFrom } from '../../../domain/trace/chain.ts';
import type { OutgoingOn } from '../../../log/log.ts';
import type { ControlPlane } from '../control-plane.ts';
import type { FactTopic } from '../output-records.ts';
import type { Input } from '../refusals.ts';
import { filterRequests } from './filter-requests.ts';
import { fittingFilters } from './filter-sizes.ts';
import { logsRequests } from './logs-requests.ts';

export type DefinitionTopic = 'sources' | 'saved' | 'webhooks' | 'subscriptions' | 'accounts' | 'answers';

type DefinedOutgoing = OutgoingOn<DefinitionTopic | FactTopic>;

/** The fields that a definition takes from the record that caused it. */
export type Cause = Pick<LogRecord, 'id' | 'at' | 'workspace' | 'correlationId'>;

interface Place<T extends DefinitionTopic> {
  readonly topic: T;
  readonly partition: number;
  readonly key: string;
}

/** `version`: the lowest version that the record gets; 1 by default. */
type Defined<T extends DefinitionTopic> = Decided<MessagesOf[T]> & { readonly version?: number };

const typeOn: { readonly [T in DefinitionTopic]: MessagesOf[T]['type'] } = {
  sources: 'SourceDefined',
  saved: 'SavedDefined',
  webhooks: 'WebhookDefined',
  subscriptions: 'SubscriptionDefined',
  accounts: 'AccountDefined',
  answers: 'AnswerKept',
};

/** A definition, or a tombstone when `defined` is undefined. */
export function definitionRecord<T extends DefinitionTopic>(
  place: Place<T>,
  defined: Defined<T> | undefined,
  cause: Cause,
): OutgoingOn<T> {
  const { topic, partition, key } = place;
  const type = defined?.type ?? typeOn[topic];
  const { id, at, workspace, correlationId } = cause;
  const version = Math.max(versionOf({ type, data: defined?.data }), defined?.version ?? 1);
  const envelope = { version, key, at, workspace, correlationId, causationId: id };
  const recordId = derivedId('rec', id, type, key, partition);
  // `defined` is a message of this topic, and a tombstone is valid on all of them.
  return { topic, partition, record: { id: recordId, type, ...envelope, data: defined?.data } } as OutgoingOn<T>;
}

export class DefinitionRecords {
  readonly #plane: ControlPlane;
  readonly #partitions: number;

  constructor(plane: ControlPlane, partitions: number) {
    this.#plane = plane;
    this.#partitions = partitions;
  }

  /** Applies the facts of one input; returns each one, followed by the definitions and tombstones that it causes. */
  take(
    facts: readonly OutgoingOn<FactTopic>[],
    input: Input,
    from: (partition: number) => number,
  ): readonly DefinedOutgoing[] {
    if (facts.length === 0) return facts;
    const isOfSource = input.topic === 'hooks' && isSourceId(input.key);
    const sources = new Set<string>(isOfSource ? [input.key] : []);
    const all = facts.flatMap((fact) => {
      const { topic, partition, record } = fact;
      const requestKey = this.#plane.requestKeyOf(record.key);
      if (topic === 'components' && changesSource(record)) sources.add(record.key);
      this.#plane.evolve(fact, topic === 'components' ? from(partition) : 0);
      const definitions = [
        ...(topic === 'listeners' ? this.#listenerDefinitions(record) : []),
        ...(topic === 'connections' && !isRefusal(record) ? [this.account(record.key, record)] : []),
        ...(topic === 'saves' && changesSaved(record) ? [this.saved(record.key, record)] : []),
      ];
      const tiedKey = topic === 'saves' ? (tiedRequest(record)?.requestKey ?? null) : null;
      return [fact, ...definitions, ...this.#keptAnswers(requestKey, record), ...this.#keptAnswers(tiedKey, record)];
    });
    return [
      ...all,
      ...Array.from(sources, (sourceId) => this.source(sourceId, { ...input, at: facts[0]?.record.at ?? input.at })),
    ];
  }

  /**
   * About `max` tombstones for subscriptions that ended with their source or listener, those of one subscription
   * together; empty when none are left. A subscription to every source has tombstones in each partition.
   */
  takeEndedTombstones(max: number, at: Millis): readonly DefinedOutgoing[] {
    const records: DefinedOutgoing[] = [];
    while (records.length < max) {
      const [subscription] = removeEnded(this.#plane.listeners, 1);
      if (subscription === undefined) break;
      const { subscriptionId, workspace, triple } = subscription;
      const id = derivedId('rec', 'ended', subscriptionId);
      records.push(...this.subscriptionTombstones(subscriptionId, triple, { id, at, workspace, correlationId: id }));
    }
    return records;
  }

  #listenerDefinitions(event: ListenerEvent): readonly DefinedOutgoing[] {
    switch (event.type) {
      case 'WebhookCreated':
      case 'WebhookUpdated':
      case 'WebhookKeyRegenerated':
      case 'WebhookDisabled':
      case 'WebhookDeleted':
        return [this.webhook(event.data.webhookId, event)];
      case 'SubscriptionCreated':
        // Filters come first, so that whoever reads the subscription already knows its filter.
        return [
          ...this.filters(event.data.subscriptionId, event),
          ...this.subscription(event.data.subscriptionId, event.data.channelEnds, event),
          ...logsRequests(event, this.#partitionsOf(event.data)),
        ];
      case 'SubscriptionUpdated':
        return [...this.filters(event.data.subscriptionId, event), ...this.#filterRequests(event)];
      case 'SubscriptionDeleted':
        return this.subscriptionTombstones(event.data.subscriptionId, event.data, event);
      case 'EmitterGone':
      case 'ListenerGone':
      case 'WebhookCreateRefused':
      case 'WebhookUpdateRefused':
      case 'WebhookKeyRegenerateRefused':
      case 'WebhookDeleteRefused':
      case 'WebhookDisableRefused':
      case 'SubscriptionCreateRefused':
      case 'SubscriptionUpdateRefused':
      case 'SubscriptionDeleteRefused':
        return [];
    }
  }

  /** The source's definition, or a tombstone. */
  source(sourceId: string, cause: Cause): DefinedOutgoing {
    const place = { topic: 'sources', partition: partitionOf(sourceId, this.#partitions), key: sourceId } as const;
    const defined = sourceDefinition(this.#plane.sources, sourceId);
    if (defined === undefined) return definitionRecord(place, undefined, cause);
    return definitionRecord(place, { ...defined, version: versionOfDefinition(defined) }, cause);
  }

  /** The component's definition, or a tombstone. */
  saved(componentId: string, cause: Cause): DefinedOutgoing {
    const place = { topic: 'saved', partition: partitionOf(componentId, this.#partitions), key: componentId } as const;
    return definitionRecord(place, savedDefinition(this.#plane.saved, componentId), cause);
  }

  account(accountId: string, cause: Cause): DefinedOutgoing {
    const place = { topic: 'accounts', partition: 0, key: accountId } as const;
    return definitionRecord(place, accountDefinition(this.#plane.accounts, accountId), cause);
  }

  webhook(webhookId: string, cause: Cause): DefinedOutgoing {
    const place = { topic: 'webhooks', partition: 0, key: webhookId } as const;
    return definitionRecord(place, webhookDefinition(this.#plane.listeners, webhookId), cause);
  }

  /** One definition of the subscription in each partition that has sources of it. */
  subscription(subscriptionId: string, channelEnds: readonly number[], cause: Cause): readonly DefinedOutgoing[] {
    const subscription = this.#plane.listeners.subscriptions.get(subscriptionId);
    if (subscription === undefined) return [];
    const { triple, createdAt, requestKey } = subscription;
    const requestMadeBy = madeByOf(this.#plane.requests, requestKey, subscriptionId);
    return this.#partitionsOf(triple).map((partition) => {
      const data = {
        ...triple,
        subscriptionId,
        createdAt,
        madeBy: requestMadeBy,
        from: channelEnds[partition] ?? null,
      };
      const defined: Decided<SubscriptionDefinition> = { type: 'SubscriptionDefined', data };
      return definitionRecord({ topic: 'subscriptions', partition, key: subscriptionId }, defined, cause);
    });
  }

  subscriptionTombstones(subscriptionId: string, triple: SubscriptionTriple, cause: Cause): readonly DefinedOutgoing[] {
    const hadFilters = this.#plane.listeners.filters.delete(subscriptionId);
    const keys = hadFilters ? [subscriptionId, filterKey(subscriptionId)] : [subscriptionId];
    return this.#partitionsOf(triple).flatMap((partition) =>
      keys.map((key) => definitionRecord({ topic: 'subscriptions', partition, key }, undefined, cause)),
    );
  }

  /** The subscription's filters, once in each partition that has sources of it; empty if it never had a filter. */
  filters(subscriptionId: string, cause: Cause): readonly DefinedOutgoing[] {
    const { subscriptions, filters: all } = this.#plane.listeners;
    const stored = all.get(subscriptionId);
    const triple = subscriptions.get(subscriptionId)?.triple;
    if (stored === undefined || triple === undefined) return [];
    const partitions = this.#partitionsOf(triple);
    const filters = fittingFilters(stored, partitions.length);
    all.set(subscriptionId, filters);
    return partitions.map((partition) => {
      const defined: Decided<FilterDefinition> = {
        type: 'FilterDefined',
        data: { subscriptionId, partition, filters },
      };
      return definitionRecord({ topic: 'subscriptions', partition, key: filterKey(subscriptionId) }, defined, cause);
    });
  }

  /** Appended together with the filters: whoever sees an effect of these requests finds the filters on the log. */
  #filterRequests(event: ListenerEvent & { readonly type: 'SubscriptionUpdated' }): readonly DefinedOutgoing[] {
    const { subscriptions, filters } = this.#plane.listeners;
    const { subscriptionId } = event.data;
    const triple = subscriptions.get(subscriptionId)?.triple;
    if (triple === undefined) return [];
    const version = newestVersion(filters.get(subscriptionId) ?? []);
    return filterRequests(event, version, this.#partitionsOf(triple));
  }

  /** The kept answer to a request for something that is gone now. */
  keptAnswer(key: string, answer: Decided<AnswerEvent> | undefined, cause: Cause): DefinedOutgoing {
    return definitionRecord({ topic: 'answers', partition: 0, key }, answer, cause);
  }

  /** Tombstones for forgotten keys. */
  forgottenTombstones(keys: readonly string[], at: Millis): readonly DefinedOutgoing[] {
    return keys.map((key) => {
      const id = derivedId('rec', 'forgotten', key, at);
      return this.keptAnswer(key, undefined, { id, at, workspace: '', ...chainFrom(id, 'lifecycle') });
    });
  }

  /** An answer is kept only for a request key that no definition names. */
  #keptAnswers(key: string | null, cause: Cause): readonly DefinedOutgoing[] {
    const answer = key === null ? undefined : answerEventOf(this.#plane.requests, key);
    return key === null || answer === undefined ? [] : [this.keptAnswer(key, answer, cause)];
  }

  #partitionsOf({ emitterId }: SubscriptionTriple): readonly number[] {
    if (!isEverySource(emitterId)) return [partitionOf(emitterId, this.#partitions)];
    return Array.from({ length: this.#partitions }, (_, partition) => partition);
  }
}

const changesSaved = (event: SavedEvent): boolean =>
  !isFetch(event) &&
  event.type !== 'ComponentUnpublishRefused' &&
  event.type !== 'ComponentDeleteRefused' &&
  (event.type !== 'ComponentSaveRefused' || event.data.began);

/** A refusal of a command that began nothing does not change the source. */
const changesSource = ({ type, data }: SourceEvent): boolean => {
  if (type === 'SourceDeleteRefused') return data.revision !== undefined;
  return !((type === 'SourceDeployRefused' || type === 'SourceUpdateRefused') && data.revision === 0);
};

const isRefusal = ({ type }: AccountEvent): boolean => type.endsWith('Refused');
