// Answers commands that cannot be read, if they at least say who sent them and what they are about.
import type { StoredRecord } from '../../domain/message.ts';
import type { MessagesOf } from '../../domain/messages-of.ts';
import { identCharsMax, isObject } from '../../domain/shape/checks.ts';
import type { MalformedRecord } from '../loop/reading/unusable.ts';
import type { LifecycleDecided } from './output-records.ts';

/** The fields of a record that its answer needs. */
export type Input = Pick<StoredRecord, 'topic' | 'id' | 'type' | 'key' | 'at' | 'workspace' | 'correlationId'>;

/** The record's envelope; undefined: it lacks something that an answer needs. */
export function readableEnvelope({ topic, record }: MalformedRecord): Input | undefined {
  const { id, type, key, at, workspace, correlationId } = record;
  if (!isIdent(id) || !isIdent(type) || !isIdent(key)) return undefined;
  if (!isIdent(workspace) || !isIdent(correlationId)) return undefined;
  return { topic, id, type, key, at: typeof at === 'number' ? at : 0, workspace, correlationId };
}

const webhookRefusals = {
  CreateWebhook: 'WebhookCreateRefused',
  UpdateWebhook: 'WebhookUpdateRefused',
  RegenerateWebhookKey: 'WebhookKeyRegenerateRefused',
  DeleteWebhook: 'WebhookDeleteRefused',
  DisableWebhook: 'WebhookDisableRefused',
} as const;

const componentRefusals = {
  UnpublishComponent: 'ComponentUnpublishRefused',
  DeleteComponent: 'ComponentDeleteRefused',
} as const;

const accountRefusals = {
  CreateAccount: 'AccountCreateRefused',
  UpdateAccount: 'AccountUpdateRefused',
  DeleteAccount: 'AccountDeleteRefused',
} as const;

/** The refusal of the command; undefined: nobody waits for one. */
export function refusalOf({ record, problem }: MalformedRecord): LifecycleDecided | undefined {
  const key = String(record.key);
  const data = isObject(record.data) ? record.data : {};
  const idIn = (field: string): string => (isIdent(data[field]) ? String(data[field]) : key);
  const message = `The command cannot be read and was not carried out: ${problem}.`;
  const refusal = { reason: 'malformed', message } as const;
  const commandType = record.type as MessagesOf['commands']['type'] | undefined;
  switch (commandType) {
    case 'DeploySource':
      return { type: 'SourceDeployRefused', data: { ...refusal, sourceId: idIn('sourceId'), revision: 0 } };
    case 'UpdateSource':
      return { type: 'SourceUpdateRefused', data: { ...refusal, sourceId: idIn('sourceId'), revision: 0 } };
    case 'DeleteSource':
      return { type: 'SourceDeleteRefused', data: { ...refusal, sourceId: idIn('sourceId') } };
    case 'FetchComponent':
      return { type: 'ComponentFetchRefused', data: { ...refusal, fetchId: idIn('fetchId') } };
    case 'SaveComponent':
      return { type: 'ComponentSaveRefused', data: { ...refusal, componentId: idIn('componentId'), began: false } };
    case 'UnpublishComponent':
    case 'DeleteComponent':
      return { type: componentRefusals[commandType], data: { ...refusal, componentId: idIn('componentId') } };
    case 'CreateWebhook':
    case 'UpdateWebhook':
    case 'RegenerateWebhookKey':
    case 'DeleteWebhook':
    case 'DisableWebhook':
      return { type: webhookRefusals[commandType], data: { ...refusal, webhookId: idIn('webhookId') } };
    case 'CreateSubscription':
      return { type: 'SubscriptionCreateRefused', data: { ...refusal, subscriptionId: idIn('subscriptionId') } };
    case 'UpdateSubscription':
      return { type: 'SubscriptionUpdateRefused', data: { ...refusal, subscriptionId: idIn('subscriptionId') } };
    case 'DeleteSubscription': {
      const eventName = typeof data['eventName'] === 'string' ? data['eventName'] : null;
      const triple = { emitterId: idIn('emitterId'), listenerId: idIn('listenerId'), eventName };
      return { type: 'SubscriptionDeleteRefused', data: { ...refusal, ...triple } };
    }
    case 'CreateAccount':
    case 'UpdateAccount':
    case 'DeleteAccount':
      return { type: accountRefusals[commandType], data: { ...refusal, accountId: idIn('accountId') } };
    case 'CreateApiKey':
      return { type: 'ApiKeyCreateRefused', data: { ...refusal, keyId: idIn('keyId') } };
    case 'DeleteApiKey':
      return { type: 'ApiKeyDeleteRefused', data: { ...refusal, keyId: idIn('keyId') } };
    case 'EndSession':
      return { type: 'SessionEndRefused', data: { ...refusal, sessionId: idIn('sessionId') } };
    case 'NoteApiKeyUse':
    case 'CreateWorkspace':
    case 'RaiseAlert':
    case 'EndAlert':
    case 'ChangeAuditKey':
    case undefined:
      return undefined;
    default:
      // Not a command at all.
      return commandType satisfies never;
  }
}

const isIdent = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= identCharsMax && value.isWellFormed();
