// Makes the dispatcher of a partition's task.
import type { TaskOptions } from '../delivery-options.ts';
import { reread } from '../events/buffer.ts';
import { raiseClosedKey } from '../records/delivery-alerts.ts';
import { Sender } from '../transforms/sender.ts';
import { Dispatcher, type DispatcherOptions } from './dispatcher.ts';

type Wired = Omit<DispatcherOptions, keyof TaskOptions | 'sender' | 'reread' | 'closed' | 'fail'>;

export function dispatcherOf(options: TaskOptions, wired: Wired): Dispatcher {
  const { context, readSlots, webhook, transformer } = options;
  return new Dispatcher({
    ...options,
    ...wired,
    sender: new Sender(webhook, transformer),
    reread: (offset) => readSlots.run(() => reread(context, offset)),
    closed: ({ webhookId }) => raiseClosedKey(context.alerts, webhookId),
    fail: (error) => context.fail(error),
  });
}
