// node:diagnostics_channel: named channels on which packages publish what they do.
import { reportUncaught } from '../core/uncaught.ts';

type Listener = (message: unknown, name: PropertyKey) => void;

class Channel {
  readonly name: PropertyKey;
  #listeners: readonly Listener[] = [];

  constructor(name: PropertyKey) {
    this.name = name;
  }
  get hasSubscribers(): boolean {
    return this.#listeners.length > 0;
  }
  subscribe(listener: Listener): void {
    this.#listeners = [...this.#listeners, listener];
  }
  unsubscribe(listener: Listener): boolean {
    const before = this.#listeners.length;
    this.#listeners = this.#listeners.filter((other) => other !== listener);
    return this.#listeners.length < before;
  }
  publish(message: unknown): void {
    for (const listener of this.#listeners) {
      try {
        listener(message, this.name);
      } catch (error) {
        reportUncaught(error);
      }
    }
  }
  bindStore(): void {}
  unbindStore(): boolean {
    return false;
  }
  runStores(message: unknown, run: (...args: unknown[]) => unknown, self?: unknown, ...args: unknown[]): unknown {
    this.publish(message);
    return Reflect.apply(run, self, args);
  }
}

/** Channels that are stored; after that, a channel with a new name cannot have subscribers. */
const channelsMax = 1_000;
const channels = new Map<PropertyKey, Channel>();

function channel(name: PropertyKey): Channel {
  const known = channels.get(name);
  if (known !== undefined) return known;
  const created = new Channel(name);
  if (channels.size < channelsMax) channels.set(name, created);
  return created;
}

const steps = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const;

/** Calls the traced function, and publishes each step on the channels that have subscribers. */
function tracingChannel(name: string): object {
  const channelByStep = Object.fromEntries(steps.map((step) => [step, channel(`tracing:${name}:${step}`)]));
  type Run = (...args: unknown[]) => unknown;
  const traceSync = (run: Run, context: object = {}, self?: unknown, ...args: unknown[]): unknown => {
    channelByStep['start']?.publish(context);
    try {
      const result = Reflect.apply(run, self, args);
      Object.assign(context, { result });
      return result;
    } catch (error) {
      Object.assign(context, { error });
      channelByStep['error']?.publish(context);
      throw error;
    } finally {
      channelByStep['end']?.publish(context);
    }
  };
  return {
    ...channelByStep,
    get hasSubscribers(): boolean {
      return steps.some((step) => channelByStep[step]?.hasSubscribers);
    },
    subscribe: (listeners: Readonly<Record<string, Listener>>): void => {
      for (const step of steps) if (listeners[step]) channelByStep[step]?.subscribe(listeners[step]);
    },
    unsubscribe: (listeners: Readonly<Record<string, Listener>>): boolean =>
      steps.every((step) => !listeners[step] || channelByStep[step]?.unsubscribe(listeners[step])),
    traceSync,
    tracePromise: async (...args: Parameters<typeof traceSync>): Promise<unknown> => await traceSync(...args),
    traceCallback: (...[run, _at, context, self, ...args]: [Run, number?, object?, unknown?, ...unknown[]]): unknown =>
      traceSync(run, context, self, ...args),
  };
}

export const diagnosticsChannel = {
  Channel,
  channel,
  tracingChannel,
  hasSubscribers: (name: PropertyKey): boolean => channels.get(name)?.hasSubscribers ?? false,
  subscribe: (name: PropertyKey, listener: Listener): void => channel(name).subscribe(listener),
  unsubscribe: (name: PropertyKey, listener: Listener): boolean => channel(name).unsubscribe(listener),
};
