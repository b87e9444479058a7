// Tells what lifecycle can decide about from what it cannot: whoever may send a request can send nonsense.
import type { SourceCommand } from '../../domain/component/messages.ts';
import type { ListenerCommand } from '../../domain/listener/messages.ts';
import type { LogRecord } from '../../domain/message.ts';
import type { WorkspaceCommand } from '../../domain/workspace/messages.ts';

export type Command = WorkspaceCommand | ListenerCommand | SourceCommand;

/** What a decision relies on in each command, by its type in JavaScript; `null` stands for "a string or null". */
const shapes: Readonly<Record<Command['type'], Readonly<Record<string, 'string' | 'object' | null>>>> = {
  CreateWorkspace: { userId: 'string', apiKeyHash: 'string', dataKey: 'object' },
  CreateWebhook: { webhookId: 'string', userId: 'string', url: 'string', signingKey: 'object', fingerprint: null },
  DeleteWebhook: { webhookId: 'string' },
  DisableWebhook: { webhookId: 'string', reason: 'string' },
  CreateSubscription: {
    ...{ subscriptionId: 'string', emitterId: 'string', listenerId: 'string' },
    ...{ eventName: null, fingerprint: null },
  },
  DeleteSubscription: { emitterId: 'string', listenerId: 'string', eventName: null },
  DeploySource: {
    ...{ sourceId: 'string', userId: 'string', code: 'string', endpointKey: 'string', configuredProps: 'object' },
    ...{ name: null, fingerprint: null },
  },
  DeleteSource: { sourceId: 'string' },
};

/** Throws an Error that names what is wrong with it. */
export function asCommand(record: LogRecord): Command {
  const shape = Object.hasOwn(shapes, record.type) ? shapes[record.type as Command['type']] : undefined;
  if (shape === undefined) throw new Error(`there is no command ${record.type}`);
  const { data } = record;
  if (typeof data !== 'object' || data === null) throw new Error(`${record.type} has no data`);
  for (const [name, expected] of Object.entries(shape)) {
    if (!fits((data as Record<string, unknown>)[name], expected))
      throw new Error(`${record.type} has no valid ${name}`);
  }
  return record as Command;
}

function fits(value: unknown, expected: 'string' | 'object' | null): boolean {
  if (value === null) return expected === null;
  return typeof value === (expected ?? 'string') && value !== '';
}
