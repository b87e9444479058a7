// MessageChannel, whose two ports receive copies of what the other sends; and a WebSocket whose constructor throws.
import { timerFunctions } from '../core/timers.ts';
import { Event, EventTarget } from './event-target.ts';

export class MessageEvent extends Event {
  readonly data: unknown;
  readonly origin = '';
  readonly ports: readonly MessagePort[] = [];

  constructor(type: string, init: { readonly data?: unknown } = {}) {
    super(type);
    this.data = init?.data ?? null;
  }
}

type DataListener = ((data: unknown) => void) | undefined;

export class MessagePort extends EventTarget {
  #other: MessagePort | undefined;

  static pair(): readonly [MessagePort, MessagePort] {
    const [one, other] = [new MessagePort(), new MessagePort()];
    one.#other = other;
    other.#other = one;
    return [one, other];
  }

  postMessage(data: unknown): void {
    const other = this.#other;
    if (other === undefined) return;
    const copy = structuredClone(data);
    timerFunctions.setImmediate(() => {
      if (other.#other !== undefined) other.dispatchEvent(new MessageEvent('message', { data: copy }));
    });
  }
  /** As on Node's emitters, the listener receives only the data. */
  on(name: string, listener: DataListener): this {
    this.addEventListener(name, (event) => listener?.((event as MessageEvent).data));
    return this;
  }
  start(): void {}
  close(): void {
    this.#other = undefined;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
}

export class MessageChannel {
  readonly port1: MessagePort;
  readonly port2: MessagePort;

  constructor() {
    [this.port1, this.port2] = MessagePort.pair();
  }
}

/** Exists because packages test for it before they need it. */
export class WebSocket extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;

  constructor() {
    super();
    const message = 'WebSocket is not available to components: they have HTTP, and no sockets';
    throw Object.assign(new Error(message), { code: 'ERR_NOT_AVAILABLE' });
  }
}
