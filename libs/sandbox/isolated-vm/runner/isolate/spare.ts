// An isolate that has booted and waits for the next component to be described: booting takes most of describing.
import type { ConsoleBuffer } from '../call/call.ts';
import { GuestIsolate } from './isolate.ts';
import type { IsolateTemplate } from './isolate.ts';
import type { MailboxOwner } from './mailbox.ts';

/** The deploy that was just described goes on first: this takes as much processor time as the rest of it. */
const afterMs = 20;
/** Who deploys often keeps one ready; after this time without a deploy its memory is given back. */
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
  timer: () => {},
  clearTimer: () => {},
  tampered: () => {},
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
  // Whoever uses it hears of it.
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

export class Spare {
  readonly #template: IsolateTemplate;
  #ready: Prepared | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(template: IsolateTemplate) {
    this.#template = template;
  }

  /** The one that is ready, or a new one. */
  take(): Prepared {
    clearTimeout(this.#timer);
    const ready = this.#ready;
    this.#ready = undefined;
    return ready === undefined || ready.isolate.isGone ? prepare(this.#template) : ready;
  }

  /** Call when what was taken is done with. */
  replace(): void {
    clearTimeout(this.#timer);
    if (this.#ready !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#ready = prepare(this.#template);
      this.#timer = setTimeout(() => this.#drop(), keptMs).unref();
    }, afterMs).unref();
  }

  #drop(): void {
    this.#ready?.isolate.dispose();
    this.#ready = undefined;
  }
}
