// Turns a trigger that cannot be read into one that ends as a refused run, in its turn.
import type { Trigger, TriggerKind } from '../../../domain/source/messages.ts';
import { ident, isObject, natural } from '../../../domain/shape/checks.ts';
import { triggerKind } from '../../../domain/source/shapes.ts';
import type { MalformedRecord } from '../../loop/reading/unusable.ts';
import { laneOf } from '../source/source-state.ts';
import { triggerOverheadBytes } from '../source/queued-trigger.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';

/** The types of other requests on `triggers`. */
const otherRequestTypes: ReadonlySet<unknown> = new Set([
  'FilterChangeRequested',
  'LogsRequested',
  'EventsPublishRequested',
  'DataStoreRequested',
]);

/** Undefined: the record does not say which source's trigger it is, or is no trigger. */
export function refusedTrigger({ record, problem, offset }: MalformedRecord): QueuedTrigger | undefined {
  const { id, type, key, workspace, correlationId, at } = record;
  if (otherRequestTypes.has(type)) return undefined;
  if (![id, key, workspace, correlationId].every(isIdent) || typeof at !== 'number') return undefined;
  const data = isObject(record.data) ? record.data : {};
  const sourceId = isIdent(data['sourceId']) ? data['sourceId'] : String(key);
  const kind = kindOf(data);
  const revision = natural(data['revision']) === undefined ? Number(data['revision']) : 0;
  const replyTo = isIdent(data['replyTo']) ? { replyTo: data['replyTo'] } : {};
  const trigger: Trigger = {
    ...(record as unknown as Trigger),
    type: 'TriggerRequested',
    version: 1,
    key: sourceId,
    data: { sourceId, kind, revision, ...replyTo },
    causationId: String(id),
  };
  const message = `The trigger cannot be read: ${problem}. Nothing was run.`;
  const fields = { offset, sourceId, workspace: trigger.workspace, lane: laneOf(kind), kind, revision };
  return { ...fields, bytes: triggerOverheadBytes, record: undefined, losses: 0, refusal: { trigger, message } };
}

const isIdent = (value: unknown): value is string => ident(value) === undefined;

function kindOf(data: Readonly<Record<string, unknown>>): TriggerKind {
  if (triggerKind(data['kind']) === undefined) return data['kind'] as TriggerKind;
  return isObject(data['http']) ? 'http' : 'manual';
}
