// One well-formed record of every message type, with every optional field: specs start from these and break them.
import { accountCommands, accountDefinitions, accountEvents } from '../account/samples.fake.ts';
import { alertSamples } from '../alert/samples.fake.ts';
import { auditCommandSamples, auditSamples } from '../audit/samples.fake.ts';
import { bundleSamples } from '../component/bundle/samples.fake.ts';
import { deliverySamples } from '../delivery/samples.fake.ts';
import { subscriptionSamples } from '../listener/samples/subscriptions.fake.ts';
import { webhookCommands, webhookDefinition, webhookEvents } from '../listener/samples/webhooks.fake.ts';
import type { LogRecord } from '../message.ts';
import type { MessagesOf } from '../messages-of.ts';
import { pendingSamples } from '../pending/samples.fake.ts';
import { publishSamples } from '../publish/samples.fake.ts';
import { savedSamples } from '../saved/samples.fake.ts';
import { sourceDefinition } from '../source/samples/source-definition.fake.ts';
import { madeBy, refusal } from '../source/samples/source-fields.fake.ts';
import { sourceSamples } from '../source/samples/sources.fake.ts';
import { storeSamples } from '../store/samples.fake.ts';
import { scheduleSamples } from '../timer/samples.fake.ts';
import { apiKeySamples } from '../workspace/api-keys/samples.fake.ts';
import type { CheckedTopic } from './check-record.ts';

type Samples = {
  readonly [Topic in CheckedTopic]: {
    readonly [Type in MessagesOf[Topic]['type']]: Extract<MessagesOf[Topic], { readonly type: Type }>['data'];
  };
};

const owner = { name: 'n', userId: 'u_1', username: 'u', email: 'e@example.com' };
const dataKey = { keyId: 'k', wrapped: 'AAAA' };

/** The compiler requires each type of each topic. */
export const samples: Samples = {
  commands: {
    ...apiKeySamples.commands,
    CreateWorkspace: { ...owner, apiKeyHash: 'h', apiKeyHint: 'pd_a', dataKey },
    ...sourceSamples.commands,
    ...savedSamples.commands,
    ...webhookCommands,
    ...accountCommands,
    ...subscriptionSamples.commands,
    ...alertSamples.commands,
    ...auditCommandSamples,
  },
  triggers: { ...sourceSamples.triggers, ...publishSamples.triggers, ...storeSamples.triggers },
  workspaces: {
    ...apiKeySamples.workspaces,
    WorkspaceCreated: owner,
    ApiKeyAdded: { hash: 'h', userId: 'u_1', hint: 'pd_a' },
  },
  keys: { DataKeyAdded: dataKey },
  components: sourceSamples.components,
  saves: savedSamples.saves,
  saved: savedSamples.saved,
  listeners: { ...webhookEvents, ...subscriptionSamples.listeners },
  connections: accountEvents,
  accounts: accountDefinitions,
  sources: { SourceDefined: sourceDefinition, DefinitionsFolded: { format: 1 } },
  webhooks: { WebhookDefined: { ...webhookDefinition, createdAt: 1, madeBy }, DefinitionsFolded: { format: 1 } },
  subscriptions: { ...subscriptionSamples.subscriptions, DefinitionsFolded: { format: 1 } },
  answers: { AnswerKept: { ...madeBy, id: 'dc_1', refusal, stands: true } },
  channels: sourceSamples.channels,
  runs: sourceSamples.runs,
  hooks: sourceSamples.hooks,
  state: { ...sourceSamples.state, ...publishSamples.state, ...bundleSamples.state },
  bundles: bundleSamples.bundles,
  stores: storeSamples.stores,
  ...deliverySamples,
  alerts: alertSamples.alerts,
  schedules: scheduleSamples,
  pending: pendingSamples,
  retention: { RetentionMoved: { before: 1, hooksBefore: 1, clock: 1 } },
  ...auditSamples,
};

/** Every sample as a record. */
export const sampleRecords: readonly (readonly [CheckedTopic, LogRecord])[] = Object.entries(samples).flatMap(
  ([topic, byType]) =>
    Object.entries(byType as Record<string, unknown>).map(
      ([type, data]) => [topic as CheckedTopic, recordOf(type, data)] as const,
    ),
);

export function recordOf(type: string, data: unknown, change: Partial<LogRecord> = {}): LogRecord {
  const envelope = { id: 'rec_1', version: 1, key: 'dc_1', at: 1, workspace: 'o_1' };
  return { ...envelope, type, data, correlationId: 'req_1', causationId: 'req_1', ...change };
}
