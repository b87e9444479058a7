// Finds the partitions that a question has to read. Each of them is a lane: its records have their own order.
import { timeOfEvent } from '../../../domain/channel/event-id.ts';
import { isEverySource } from '../../../domain/delivery/matching.ts';
import { partitionCount, partitionOf, signedTopics, topics } from '../../../domain/flow.ts';
import type { SignedTopic } from '../../../domain/flow.ts';
import { isId, timeOfId } from '../../../domain/id.ts';
import type { Millis } from '../../../domain/message.ts';
import { shapes } from '../../../domain/record/check-record.ts';
import type { DeliveryView, RunView, SourceView, SubscriptionView, WebhookView } from '../../../domain/views/index.ts';
import type { ViewBuild } from '../../../view-store/view-store.ts';
import { isEventId } from '../http/pages/cursor.ts';
import type { Question } from './question.ts';

export interface Lane {
  readonly topic: SignedTopic;
  readonly partition: number;
}

/** The lanes, and the time before which they need not be read. */
export interface NarrowedLanes {
  readonly lanes: readonly Lane[];
  readonly since: Millis;
  /** The same for `commands`, where the command that created something can be older than what it created. */
  readonly commandsSince: Millis;
}

/** Clocks of processes differ, so a record can come after one that is a little newer. */
export const clockSkewMs = 60_000;

/** The topics with messages of this type; none: there is no such type. */
export const topicsOf = (type: string): readonly SignedTopic[] =>
  signedTopics.filter((topic) => Object.hasOwn(shapes[topic], type));

/** Always in the same order. */
export function allLanes(partitions: number): readonly Lane[] {
  return signedTopics.flatMap((topic) =>
    Array.from({ length: partitionCount(topic, partitions) }, (_, partition) => ({ topic, partition })),
  );
}

/** An id or a view can reveal the partition or the time. Otherwise every lane is read from the beginning. */
export async function narrowLanes(question: Question, views: ViewBuild, partitions: number): Promise<NarrowedLanes> {
  const { topic, type, subject, chainId = '', from = 0 } = question;
  const hints = subject === undefined ? {} : await subjectHintsOf(subject, question.workspace, views);
  const partition = hints.emitterId === undefined ? undefined : partitionOf(hints.emitterId, partitions);
  const topicsOfType = type === undefined ? undefined : topicsOf(type);
  const lanes = allLanes(partitions).filter(
    (lane) =>
      (topic === undefined || lane.topic === topic) &&
      (topicsOfType === undefined || topicsOfType.includes(lane.topic)) &&
      (partition === undefined || lane.partition === partition || topics[lane.topic].partitions === 'one'),
  );
  const minTime = Math.max(from, timeOfId('req', chainId) ?? 0, hints.at ?? 0);
  return { lanes, since: minusClockSkew(Math.max(minTime, hints.madeAt ?? 0)), commandsSince: minusClockSkew(minTime) };
}

const minusClockSkew = (time: Millis): Millis => Math.max(0, time - clockSkewMs);

interface SubjectHints {
  /** On partitioned topics, all records about the subject are in the partition of this id. */
  readonly emitterId?: string | undefined;
  /** No record about the subject is older. */
  readonly at?: Millis | undefined;
  /** Only commands are older. */
  readonly madeAt?: Millis | undefined;
}

async function subjectHintsOf(subject: string, workspace: string, views: ViewBuild): Promise<SubjectHints> {
  const find = async <V>(view: string): Promise<V | undefined> => {
    const value = (await views.get(view, subject))?.value;
    return value?.['workspace'] === workspace ? (value as V) : undefined;
  };
  const requestedAt = timeOfId('req', subject);
  if (requestedAt !== undefined) return { at: requestedAt };
  if (isId('dc', subject)) {
    const source = await find<SourceView>('sources');
    return { emitterId: subject, madeAt: source?.createdAt };
  }
  if (isEventId(subject)) return { at: timeOfEvent(subject) };
  if (isId('run', subject)) {
    const run = await find<RunView>('runs');
    return { emitterId: run?.sourceId };
  }
  if (isId('msg', subject)) {
    const delivery = await find<DeliveryView>('deliveries');
    return delivery === undefined ? {} : { emitterId: delivery.emitterId, at: timeOfEvent(delivery.eventId) };
  }
  if (isId('wh', subject)) return { madeAt: (await find<WebhookView>('webhooks'))?.createdAt };
  if (!isId('sub', subject)) return {};
  const subscription = await find<SubscriptionView>('subscriptions');
  if (subscription === undefined) return {};
  const { emitterId, createdAt: madeAt } = subscription;
  return isEverySource(emitterId) ? { madeAt } : { emitterId, madeAt };
}
