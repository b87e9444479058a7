// Delivers replies within one process: transient answers, passed to the gateway instances that listen.
import { everyGateway, type Reply } from './log.ts';

type Receive = (reply: Reply) => void;

export class Replies {
  readonly #receivers = new Map<string, Set<Receive>>();

  /** Whether this process has a receiver for what is sent to `gateway`. */
  hasReceiver(gateway: string): boolean {
    return this.#receivers.size > 0 && (gateway === everyGateway || this.#receivers.has(gateway));
  }

  /** Delivers in a microtask, so that a receiver's error never reaches the sender. */
  send(gateway: string, reply: Reply): void {
    const gateways = gateway === everyGateway ? [...this.#receivers.keys()] : [gateway];
    for (const name of gateways)
      for (const receive of this.#receivers.get(name) ?? [])
        queueMicrotask(() => {
          if (this.#receivers.get(name)?.has(receive)) receive(reply);
        });
  }

  on(gateway: string, receive: Receive): () => void {
    const receiver: Receive = (reply) => receive(reply);
    const receivers = this.#receivers.get(gateway) ?? new Set();
    this.#receivers.set(gateway, receivers.add(receiver));
    return () => {
      receivers.delete(receiver);
      if (receivers.size === 0 && this.#receivers.get(gateway) === receivers) this.#receivers.delete(gateway);
    };
  }

  clear(): void {
    this.#receivers.clear();
  }
}
