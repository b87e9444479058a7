// Keeps booted isolates ready for the next describes, because booting takes most of the time of a describe.
import type { ConsoleBuffer } from '../call/call.ts';
import { GuestIsolate } from './isolate.ts';
import type { IsolateTemplate } from './isolate.ts';
import type { MailboxOwner } from './mailbox.ts';

/**
 * Delay before the next isolate is made, because that takes as much processor time as the rest of the deploy that was
 * just described.
 */
const replaceDelayMs = 20;
/** One for the next deploy, and one for a deploy right after it; each takes 7 MiB. */
const readyMax = 2;
/** How long isolates are kept ready after a deploy, before their memory is freed. */
const readyTimeoutMs = 60_000;

/** A booted or booting isolate, which is used once. */
export interface PreparedIsolate {
  readonly isolate: GuestIsolate;
  /** Rejects if the isolate cannot boot. */
  readonly booted: Promise<void>;
  /** Sets where console lines go, and what is called if V8 could not end the isolate. */
  attach(lines: ConsoleBuffer, onCatastrophe: () => void): void;
}

/** Accepts only console lines: other messages have no recipient while a component loads. */
const onlyConsole = (console: MailboxOwner['console']): MailboxOwner => ({
  console,
  emit: () => {},
  respond: () => {},
  db: () => {},
  done: () => {},
  tampered: () => {},
  timers: { set: () => {}, delete: () => {}, unref: () => {} },
  requests: { ask: () => {}, pull: () => {}, abort: () => {} },
});

function prepare(template: IsolateTemplate): PreparedIsolate {
  let lines: ConsoleBuffer | undefined;
  let onCatastrophe = (): void => {};
  const isolate = new GuestIsolate(template, () => onCatastrophe());
  const booted = isolate.boot(
    template,
    '',
    onlyConsole((_id, level, text) => lines?.add(level, text)),
  );
  // The user of the isolate awaits it later, so an early rejection must not count as unhandled.
  booted.catch(() => {});
  return {
    isolate,
    booted,
    attach: (buffer, catastropheHandler) => {
      lines = buffer;
      onCatastrophe = catastropheHandler;
    },
  };
}

export class SpareIsolates {
  readonly #template: IsolateTemplate;
  readonly #ready: PreparedIsolate[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(template: IsolateTemplate) {
    this.#template = template;
  }

  /** The memory limit of each isolate. */
  get memoryMb(): number {
    return this.#template.memoryMb;
  }

  /** A ready isolate or a new one; always a new one for more memory than the ready ones have. */
  take(memoryMb = this.memoryMb): PreparedIsolate {
    clearTimeout(this.#timer);
    if (memoryMb > this.memoryMb) return prepare({ ...this.#template, memoryMb });
    let ready = this.#ready.shift();
    while (ready?.isolate.isDisposed === true) ready = this.#ready.shift();
    return ready ?? prepare(this.#template);
  }

  /** Call when the taken isolate is no longer used. */
  replace(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#ready.length < readyMax) this.#ready.push(prepare(this.#template));
      if (this.#ready.length < readyMax) this.replace();
      else this.#timer = setTimeout(() => this.#disposeReady(), readyTimeoutMs).unref();
    }, replaceDelayMs).unref();
  }

  #disposeReady(): void {
    for (const { isolate } of this.#ready.splice(0)) isolate.dispose();
  }
}
