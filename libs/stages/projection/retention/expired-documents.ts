// Removes expired documents from a build, oldest first, in steps short enough not to delay other work.
import type { Millis } from '../../../domain/message.ts';
import type { Expiry, View } from '../../../domain/views/view.ts';
import type { ViewBuild } from '../../../view-store/index.ts';

/** The span of time whose documents the first step removes. */
const firstSpanMs = 1_000;
/** The next span is longer or shorter when a step took less or more than this. */
const stepMs = { least: 10, most: 40 };

/** Runs a step, and rests before it resolves. */
export type Paced = <Result>(step: () => Promise<Result>) => Promise<Result>;
type Build = Pick<ViewBuild, 'find' | 'removeRange'>;

/** Repeating it changes nothing. */
export async function removeExpired(build: Build, views: readonly View[], before: Millis, paced: Paced): Promise<void> {
  for (const { definition, expiry: passing } of views) {
    if (passing === undefined) continue;
    const remover = new ExpiredRemover(build, definition.name, passing, before);
    while (await paced(() => remover.step()));
  }
}

class ExpiredRemover {
  readonly #build: Build;
  readonly #view: string;
  readonly #passing: Expiry;
  readonly #before: Millis;
  #spanMs = firstSpanMs;

  constructor(build: Build, view: string, passing: Expiry, before: Millis) {
    this.#build = build;
    this.#view = view;
    this.#passing = passing;
    this.#before = before;
  }

  /** Returns false when nothing is left. */
  async step(): Promise<boolean> {
    const { index } = this.#passing;
    const [oldest] = await this.#build.find(this.#view, { index, equals: [], order: 'ascending', limit: 1 });
    const end = this.#passing.fieldValueAt(this.#before);
    if (oldest === undefined || this.#passing.valueOf(oldest.value) >= end) return false;
    const startedAt = performance.now();
    const to = this.#boundOfStep(oldest.value, end);
    const belowVersion = Number.MAX_SAFE_INTEGER;
    // Documents that a late process writes again are removed with the next retention record, so they need no fading
    // tombstones.
    await this.#build.removeRange(this.#view, { index, equals: [], to, belowVersion, leaves: 'nothing' });
    const tookMs = performance.now() - startedAt;
    if (tookMs < stepMs.least) this.#spanMs *= 2;
    if (tookMs > stepMs.most) this.#spanMs = Math.max(1, this.#spanMs / 2);
    return true;
  }

  /** Returns a bound that is always above the oldest document, even if its time is wrong. */
  #boundOfStep(oldest: Parameters<Expiry['timeOf']>[0], end: string | number): string | number {
    const to = this.#passing.fieldValueAt(this.#passing.timeOf(oldest) + this.#spanMs);
    return to > this.#passing.valueOf(oldest) && to < end ? to : end;
  }
}
