// Folds records into documents: one read for the documents needed, one write for each document that changed.
import type { Millis } from '../../../domain/message.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { Expiry, View, ViewValue } from '../../../domain/views/view.ts';
import { Turn } from '../../../primitives/event-loop/turn.ts';
import { withoutCovered } from './removal.ts';
import type { Removal } from './removal.ts';
import type { ViewBuild, ViewWrite } from '../../../view-store/index.ts';
import type { Tolerate } from '../../loop/reading/alerting-reporter.ts';

/** The store's limit of one `getMany`. */
const readAtOnce = 1_000;

interface Touch {
  readonly view: View;
  readonly id: string;
  readonly record: RecordOn;
  readonly needsCurrent: boolean;
}

/** The write of a document, with the last record that was folded into it. */
export interface FoldWrite extends ViewWrite {
  readonly record: RecordOn;
}

/** A document that the batch changes. Its version is -1 while unknown. */
interface Draft {
  version: number;
  value: ViewValue | undefined;
  found: boolean;
  changed: boolean;
  record: RecordOn;
}

export class Fold {
  readonly #byTopic = new Map<string, View[]>();
  readonly #passingByView = new Map<string, Expiry>();
  readonly #tolerate: Tolerate;
  readonly #expiredBefore: () => Millis;

  /**
   * `tolerate`: a record that a view cannot fold is left out, and the fold continues. `expiredBefore`: documents
   * that expire are no longer written when they are older than this.
   */
  constructor(views: readonly View[], tolerate: Tolerate, expiredBefore: () => Millis = () => -Infinity) {
    this.#tolerate = tolerate;
    this.#expiredBefore = expiredBefore;
    for (const view of views) {
      if (view.expiry !== undefined) this.#passingByView.set(view.definition.name, view.expiry);
      for (const topic of view.topics) this.#byTopic.set(topic, [...(this.#byTopic.get(topic) ?? []), view]);
    }
  }

  /**
   * Returns the documents of `build` after `records`, which hold each partition's records in order. A record that a
   * document has already passed is skipped, so a repeated record changes nothing. Takes short turns of the event loop.
   */
  async writes(build: ViewBuild, records: readonly RecordOn[]): Promise<FoldWrite[]> {
    const turn = new Turn();
    const touches: Touch[] = [];
    for (const record of records) {
      touches.push(...(this.#tolerate(record, () => this.#touches(record)) ?? []));
      if (turn.isOver) await turn.next();
    }
    const drafts = await readCurrent(build, touches);
    for (const touch of touches) {
      this.#tolerate(touch.record, () => evolve(drafts, touch));
      if (turn.isOver) await turn.next();
    }
    const writes: FoldWrite[] = [];
    for (const [view, byId] of drafts) {
      for (const [id, { version, value, found, changed, record }] of byId)
        if (changed && !this.#isExpired(view, value)) writes.push({ view, id, version, value, isNew: !found, record });
    }
    return writes;
  }

  /** Returns what the records delete; remove it after their writes. Repeating a removal changes nothing. */
  removals(records: readonly RecordOn[]): readonly Removal[] {
    const removals: Removal[] = [];
    for (const record of records) {
      for (const view of this.#byTopic.get(record.topic) ?? []) {
        const target = this.#tolerate(record, () => view.removes?.(record));
        if (target !== undefined) removals.push({ view: view.definition.name, target, record });
      }
    }
    return withoutCovered(removals);
  }

  #isExpired(view: string, value: ViewValue | undefined): boolean {
    const passing = this.#passingByView.get(view);
    if (passing === undefined || value === undefined) return false;
    return passing.valueOf(value) < passing.fieldValueAt(this.#expiredBefore());
  }

  #touches(record: RecordOn): Touch[] {
    const touches: Touch[] = [];
    for (const view of this.#byTopic.get(record.topic) ?? []) {
      const id = view.idOf(record);
      if (id !== undefined) touches.push({ view, id, record, needsCurrent: view.needsCurrent(record) });
    }
    return touches;
  }
}

type Drafts = Map<string, Map<string, Draft>>;

/** Reads the documents whose first record in the batch needs them; documents made by the batch itself are not read. */
async function readCurrent(build: ViewBuild, touches: readonly Touch[]): Promise<Drafts> {
  const drafts: Drafts = new Map();
  const idsToRead = new Map<string, string[]>();
  for (const { view, id, needsCurrent, record } of touches) {
    const { name } = view.definition;
    const byId = drafts.get(name) ?? new Map<string, Draft>();
    drafts.set(name, byId);
    if (byId.has(id)) continue;
    byId.set(id, { version: -1, value: undefined, found: false, changed: false, record });
    if (!needsCurrent) continue;
    const ids = idsToRead.get(name);
    if (ids === undefined) idsToRead.set(name, [id]);
    else ids.push(id);
  }
  for (const [view, ids] of idsToRead) await readView(build, view, ids, drafts);
  return drafts;
}

async function readView(build: ViewBuild, view: string, ids: readonly string[], drafts: Drafts): Promise<void> {
  for (let from = 0; from < ids.length; from += readAtOnce) {
    for (const document of await build.getMany(view, ids.slice(from, from + readAtOnce))) {
      const draft = document && drafts.get(view)?.get(document.id);
      if (draft === undefined || document === undefined) continue;
      draft.version = document.version;
      draft.value = document.value;
      draft.found = true;
    }
  }
}

function evolve(drafts: Drafts, { view, id, record, needsCurrent }: Touch): void {
  const draft = drafts.get(view.definition.name)?.get(id);
  if (draft === undefined || draft.version >= record.offset) return;
  const value = view.evolve(needsCurrent ? draft.value : undefined, record);
  if (needsCurrent && value === undefined && draft.value === undefined) return;
  draft.version = record.offset;
  draft.value = value;
  draft.changed = true;
  draft.record = record;
}
