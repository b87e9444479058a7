// Isolates that have booted and wait for the next components to be described: booting takes most of describing.
import type { ConsoleBuffer } from '../call/call.ts';
import { GuestIsolate } from './isolate.ts';
import type { IsolateTemplate } from './isolate.ts';
import type { MailboxOwner } from './mailbox.ts';

/**
 * How long the next isolate waits to be made: it takes as much processor time as the rest of the deploy that was just
 * described.
 */
const afterMs = 20;
/** One for the next deploy, and one for a deploy right behind it: each takes 7 MiB. */
const readyMax = 2;
/** Isolates are kept ready for this long after a deploy; then their memory is freed. */
const keptMs = 60_000;

/** Used once. */
export interface Prepared {
  readonly isolate: GuestIsolate;
  /** Rejects as the boot of an isolate does. */
  readonly booted: Promise<void>;
  /** Where its console goes from now on, and who is told that V8 could not end it. */
  use(lines: ConsoleBuffer, onCatastrophe: () => void): void;
}

/** While it loads, a component can only print: nothing else has a recipient. */
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

function prepare(template: IsolateTemplate): Prepared {
  let lines: ConsoleBuffer | undefined;
  let onCatastrophe = (): void => {};
  const isolate = new GuestIsolate(template, () => onCatastrophe());
  const booted = isolate.boot(
    template,
    '',
    onlyConsole((_id, level, text) => lines?.add(level, text)),
  );
  // Anyone who uses it learns of it.
  booted.catch(() => {});
  return {
    isolate,
    booted,
    use: (given, told) => {
      lines = given;
      onCatastrophe = told;
    },
  };
}

export class SpareIsolates {
  readonly #template: IsolateTemplate;
  readonly #ready: Prepared[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(template: IsolateTemplate) {
    this.#template = template;
  }

  /** How many MiB each of them may take. */
  get memoryMb(): number {
    return this.#template.memoryMb;
  }

  /** One that is ready, or a new one: those that are ready may take no more than the others. */
  take(memoryMb = this.memoryMb): Prepared {
    clearTimeout(this.#timer);
    if (memoryMb > this.memoryMb) return prepare({ ...this.#template, memoryMb });
    let ready = this.#ready.shift();
    while (ready?.isolate.isGone === true) ready = this.#ready.shift();
    return ready ?? prepare(this.#template);
  }

  /** Call when what was taken is done with. */
  replace(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#ready.length < readyMax) this.#ready.push(prepare(this.#template));
      if (this.#ready.length < readyMax) this.replace();
      else this.#timer = setTimeout(() => this.#drop(), keptMs).unref();
    }, afterMs).unref();
  }

  #drop(): void {
    for (const { isolate } of this.#ready.splice(0)) isolate.dispose();
  }
}
