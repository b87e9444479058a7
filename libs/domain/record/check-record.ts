// Checks each record from the log before it is used: usable, malformed, or of a newer program.
import { accountCommands, accountDefinitions, accountEvents } from '../account/shapes.ts';
import { alertCommands, alertEvents } from '../alert/shapes.ts';
import { auditCommands, checkpointEvents, treeEvents } from '../audit/shapes.ts';
import {
  channelEvents,
  deletionRequests,
  filterChangeRequests,
  logsRequests,
  runEvents,
  stateEvents,
} from '../channel/shapes.ts';
import { bundleEvents, bundleUseEvents } from '../component/bundle/shapes.ts';
import { hookEvents, sourceCommands, sourceEvents, triggers, codeFetched } from '../source/shapes.ts';
import { cursorEvents, deliveryEvents } from '../delivery/shapes.ts';
import { indexEvents } from '../delivery/indexing/shapes.ts';
import { deliveryRequests, replayEvents } from '../delivery/replay/shapes.ts';
import { transformRequests } from '../delivery/transform/shapes.ts';
import { answerEvents } from '../definition/shapes.ts';
import { subscriptionDefinitions, webhookDefinitions } from '../listener/definition/shapes.ts';
import { sourceDefinitions } from '../source/definition/shapes.ts';
import { pendingEvents } from '../pending/shapes.ts';
import type { TopicName } from '../flow.ts';
import { publishRequests, recentIdsEvents } from '../publish/shapes.ts';
import { listenerCommands, listenerEvents } from '../listener/shapes.ts';
import { erasableTopics } from '../messages-of.ts';
import type { LogRecord } from '../message.ts';
import type { MessageOn, MessagesOf } from '../messages-of.ts';
import { keyEvents, workspaceCommands, workspaceEvents } from '../workspace/shapes.ts';
import { savedCommands, savedDefinitions, savedEvents } from '../saved/shapes.ts';
import { retentionEvents } from '../retention/shapes.ts';
import { storeEvents, storeRequests } from '../store/shapes.ts';
import { scheduleEvents } from '../timer/shapes.ts';
import { ident, identCharsMax, isObject, millis, natural, object } from '../shape/checks.ts';
import type { AnyCheck, ShapeOf } from '../shape/checks.ts';
import type { ShapesOf } from '../shape/shapes.ts';

/** All topics but marks, which only the log itself reads. */
export type CheckedTopic = Exclude<TopicName, `marks.${string}`>;

/** The compiler reports topics, and message types on them, whose shapes are missing here. */
export const shapes: { readonly [Topic in CheckedTopic]: ShapesOf<MessagesOf[Topic]> } = {
  commands: {
    ...workspaceCommands,
    ...sourceCommands,
    ...savedCommands,
    ...listenerCommands,
    ...accountCommands,
    ...alertCommands,
    ...auditCommands,
  },
  triggers: {
    ...triggers,
    ...deletionRequests,
    ...filterChangeRequests,
    ...logsRequests,
    ...publishRequests,
    ...storeRequests,
  },
  requests: { ...deliveryRequests, ...transformRequests },
  workspaces: workspaceEvents,
  keys: keyEvents,
  components: sourceEvents,
  saves: savedEvents,
  listeners: listenerEvents,
  connections: accountEvents,
  sources: sourceDefinitions,
  saved: savedDefinitions,
  webhooks: webhookDefinitions,
  subscriptions: subscriptionDefinitions,
  accounts: accountDefinitions,
  answers: answerEvents,
  channels: channelEvents,
  runs: runEvents,
  hooks: { ...hookEvents, ...codeFetched },
  state: { ...stateEvents, ...recentIdsEvents, ...bundleUseEvents },
  bundles: bundleEvents,
  stores: storeEvents,
  deliveries: deliveryEvents,
  cursors: cursorEvents,
  replays: replayEvents,
  indexes: indexEvents,
  alerts: alertEvents,
  retention: retentionEvents,
  schedules: scheduleEvents,
  pending: pendingEvents,
  checkpoints: checkpointEvents,
  trees: treeEvents,
};

/** The highest version of all messages. A message that older programs would misread gets the next one. */
export const knownVersion = 10;

export const erasable: ReadonlySet<string> = new Set<TopicName>(erasableTopics);

export type RecordProblem =
  | { readonly kind: 'malformed'; /** What differs; names fields and never a value. */ readonly problem: string }
  | { readonly kind: 'newer'; readonly version: number };

const checks: ReadonlyMap<string, ReadonlyMap<string, AnyCheck>> = new Map(
  Object.entries(shapes).map(([topic, byType]) => [
    topic,
    new Map(Object.entries<ShapeOf<object>>(byType).map(([type, shape]) => [type, object<object>(shape)])),
  ]),
);

interface Envelope {
  readonly type: string;
  readonly version: number;
  readonly data: unknown;
}

/** Empty is allowed: CloudEvents omit empty attributes. */
const isShortText = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= identCharsMax && value.isWellFormed();

/** Returns the first wrong field. Written without loops for speed: it runs several times for every record. */
function envelopeProblem(record: Readonly<Record<string, unknown>>): string | undefined {
  const { id, type, version, key, at, workspace, correlationId, causationId } = record;
  if (ident(id) !== undefined) return 'id';
  if (typeof type !== 'string') return 'type';
  if (natural(version) !== undefined || version === 0) return 'version';
  if (!isShortText(key)) return 'key';
  if (millis(at) !== undefined) return 'at';
  if (!isShortText(workspace)) return 'workspace';
  if (!isShortText(correlationId)) return 'correlationId';
  return isShortText(causationId) ? undefined : 'causationId';
}

/** Undefined: the record is usable. Never throws; takes time linear in the record's size. */
export function checkRecord(topic: TopicName, record: unknown): RecordProblem | undefined {
  if (!isObject(record)) return malformed('it is no record');
  const field = envelopeProblem(record);
  if (field !== undefined) return malformed(`its ${field} is missing or of another kind`);
  const { type, version, data } = record as unknown as Envelope;
  if (version > knownVersion) return { kind: 'newer', version };
  const check = checks.get(topic)?.get(type);
  if (check === undefined) return malformed('its type is unknown there');
  if ((data === null || data === undefined) && erasable.has(topic)) return undefined;
  if (!isObject(data)) return malformed(`${type} has no data`);
  const at = check(data);
  return at === undefined ? undefined : malformed(`${type} has no valid ${at}`);
}

/** The same, for callers that read one topic. */
export const isUsable = <T extends CheckedTopic>(topic: T, record: LogRecord): record is MessageOn<T> =>
  checkRecord(topic, record) === undefined;

const malformed = (problem: string): RecordProblem => ({ kind: 'malformed', problem });
