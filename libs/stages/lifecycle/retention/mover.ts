// Says on the log how far back is kept: looks at the clock now and then, and appends the fact when it has moved.
import type { Ambient } from '../../../domain/ambient.ts';
import type { Sources } from '../../../domain/component/sources.ts';
import { derivedId } from '../../../domain/id.ts';
import type { LogRecord, Millis } from '../../../domain/message.ts';
import { decideRetention } from '../../../domain/retention/decide.ts';
import { retentionKey, type RetentionEvent, type RetentionMoved } from '../../../domain/retention/messages.ts';
import type { Outgoing } from '../../../log/log.ts';
import type { RetentionSettings } from '../../loop/settings.ts';

/** Far below the hour by which retention moves. */
const lookMs = 60_000;

export interface RetentionMoverOptions {
  readonly settings: RetentionSettings;
  readonly ambient: Ambient;
  /** The newest fact on the log. */
  readonly last: RetentionMoved | undefined;
  readonly sources: Sources;
  /** Takes a record that goes to the log by itself. */
  readonly append: (outgoing: Outgoing) => void;
}

export class RetentionMover {
  readonly #options: RetentionMoverOptions;
  #last: RetentionMoved | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RetentionMoverOptions) {
    this.#options = options;
    this.#last = options.last;
  }

  /** Looks at once, and then every minute. */
  start(): void {
    this.#timer = setInterval(() => this.look(), this.#options.settings.lookMs ?? lookMs).unref();
    this.look();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  look(): void {
    const { settings, ambient, sources, append } = this.#options;
    const now = ambient.now();
    const input = { now, days: settings.days, last: this.#last };
    if (decideRetention({ ...input, deployingSince: undefined }) === undefined) return;
    const moved = decideRetention({ ...input, deployingSince: deployingSince(sources) });
    if (moved === undefined) return;
    this.#last = moved;
    append({ topic: 'retention', partition: 0, record: retentionMoved(moved, now) });
  }
}

/** It follows from the clock alone, so it begins a chain of its own. */
export function retentionMoved(data: RetentionMoved, at: Millis): LogRecord & RetentionEvent {
  const id = derivedId('rec', retentionKey, data.before);
  const chain = { workspace: '', correlationId: id, causationId: id };
  return { id, type: 'RetentionMoved', version: 1, key: retentionKey, data, at, ...chain };
}

function deployingSince({ byId }: Sources): Millis | undefined {
  let since: Millis | undefined;
  for (const { status, createdAt } of byId.values())
    if (status === 'deploying') since = Math.min(createdAt, since ?? createdAt);
  return since;
}
