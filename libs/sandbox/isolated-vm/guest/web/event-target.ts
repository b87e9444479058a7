// Event, EventTarget, AbortController and AbortSignal of the DOM standard, which are globals in Node.
import { reportUncaught } from '../core/uncaught.ts';
import { timerFunctions } from '../core/timers.ts';

export class Event {
  readonly type: string;
  readonly bubbles: boolean;
  readonly cancelable: boolean;
  readonly timeStamp = Date.now();
  defaultPrevented = false;
  target: EventTarget | null = null;
  currentTarget: EventTarget | null = null;
  stopped = false;

  constructor(type: string, init: { bubbles?: boolean; cancelable?: boolean } = {}) {
    this.type = String(type);
    this.bubbles = Boolean(init?.bubbles);
    this.cancelable = Boolean(init?.cancelable);
    Object.defineProperty(this, 'stopped', { enumerable: false, writable: true, value: false });
  }
  preventDefault(): void {
    if (this.cancelable) this.defaultPrevented = true;
  }
  stopPropagation(): void {}
  stopImmediatePropagation(): void {
    this.stopped = true;
  }
}

export class CustomEvent extends Event {
  readonly detail: unknown;

  constructor(type: string, init: { bubbles?: boolean; cancelable?: boolean; detail?: unknown } = {}) {
    super(type, init);
    this.detail = init?.detail ?? null;
  }
}

type Listener = ((event: Event) => unknown) | { handleEvent(event: Event): unknown };
interface ListenerOptions {
  readonly once?: boolean;
  readonly signal?: AbortSignal;
}

export class EventTarget {
  readonly #listeners = new Map<string, { readonly listener: Listener; readonly once: boolean }[]>();

  addEventListener(type: string, listener: Listener | null, options?: ListenerOptions | boolean): void {
    if (!listener) return;
    const { once = false, signal } = typeof options === 'object' && options !== null ? options : {};
    if (signal?.aborted) return;
    const list = this.#listeners.get(type) ?? [];
    if (list.some((entry) => entry.listener === listener)) return;
    this.#listeners.set(type, [...list, { listener, once }]);
    signal?.addEventListener('abort', () => this.removeEventListener(type, listener), { once: true });
  }

  removeEventListener(type: string, listener: Listener | null): void {
    const list = this.#listeners.get(type);
    if (list)
      this.#listeners.set(
        type,
        list.filter((entry) => entry.listener !== listener),
      );
  }

  dispatchEvent(event: Event): boolean {
    event.target = this;
    event.currentTarget = this;
    for (const { listener, once } of this.#listeners.get(event.type) ?? []) {
      if (event.stopped) break;
      if (once) this.removeEventListener(event.type, listener);
      this.#call(listener, event);
    }
    const handler = (this as unknown as Record<string, unknown>)[`on${event.type}`];
    if (typeof handler === 'function' && !event.stopped) this.#call(handler as Listener, event);
    event.currentTarget = null;
    return !event.defaultPrevented;
  }

  #call(listener: Listener, event: Event): void {
    try {
      if (typeof listener === 'function') listener.call(this, event);
      else listener.handleEvent(event);
    } catch (error) {
      reportUncaught(error);
    }
  }
}

const abortError = (): unknown => new DOMException('This operation was aborted', 'AbortError');

export class AbortSignal extends EventTarget {
  aborted = false;
  reason: unknown = undefined;
  onabort: ((event: Event) => unknown) | null = null;

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }
  static abort(reason?: unknown): AbortSignal {
    const controller = new AbortController();
    controller.abort(reason);
    return controller.signal;
  }
  static timeout(ms: number): AbortSignal {
    const controller = new AbortController();
    const expire = (): void =>
      controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    timerFunctions.setTimeout(expire, ms).unref();
    return controller.signal;
  }
  static any(signals: Iterable<AbortSignal>): AbortSignal {
    const controller = new AbortController();
    for (const signal of signals) {
      if (signal.aborted) {
        controller.abort(signal.reason);
        break;
      }
      signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true });
    }
    return controller.signal;
  }
}

export class AbortController {
  readonly signal = new AbortSignal();

  abort(reason?: unknown): void {
    if (this.signal.aborted) return;
    this.signal.aborted = true;
    this.signal.reason = reason === undefined ? abortError() : reason;
    this.signal.dispatchEvent(new Event('abort'));
  }
}
