// Keeps the metrics of one process: counters and histograms that other code updates, and gauges that are read on
// request.
import { within } from '../time-limit.ts';
import { headOf, histogramText, labelsText, sampleOf } from './exposition.ts';
import type { Family, Labels } from './family.ts';
import { Count, Histogram } from './series.ts';

/** The most series of a family; further ones are counted together under the label value `other`. */
const seriesMax = 5_000;
/** Longer than any reading needs while its server answers: later values are left out of this response. */
const readMs = 5_000;

/** Adds a sample of a gauge, or of a counter that is counted elsewhere. */
export type PutSample = (family: Family, labels: Labels, value: number) => void;
export type Reading = (put: PutSample) => void | Promise<void>;

interface Reader {
  readonly read: Reading;
  /** Whether the last reading is in progress; then no other one begins. */
  isBusy: boolean;
}

export class Metrics {
  readonly #series = new Map<Family, Map<string, Count | Histogram>>();
  readonly #readers: Reader[] = [];
  readonly #failedReadings: Count | undefined;
  readonly #readMs: number;
  #pendingText: Promise<string> | undefined;

  /** `leftOut`: the counter of readings that fail or take longer than `readMs`. */
  constructor(options: { readonly leftOut?: Family; readonly readMs?: number } = {}) {
    this.#readMs = options.readMs ?? readMs;
    this.#failedReadings = options.leftOut && this.count(options.leftOut);
  }

  /** The same object for the same labels: look it up once, and add to its `value`. */
  count(family: Family, labels: Labels = {}): Count {
    return this.#seriesOf(family, labels, () => new Count()) as Count;
  }

  /** The same object for the same labels. */
  histogram(family: Family, labels: Labels = {}): Histogram {
    return this.#seriesOf(family, labels, () => new Histogram(family.buckets ?? [])) as Histogram;
  }

  /** `read` is called for each response. Its samples are left out if it throws or takes too long. */
  addReader(read: Reading): void {
    this.#readers.push({ read, isBusy: false });
  }

  /** Returns everything in Prometheus' text format, by name. Concurrent calls share one result. */
  text(): Promise<string> {
    this.#pendingText ??= this.#renderText().finally(() => (this.#pendingText = undefined));
    return this.#pendingText;
  }

  async #renderText(): Promise<string> {
    const readings = await Promise.all(this.#readers.map((reader) => this.#readFrom(reader)));
    const texts = new Map<Family, string>();
    const add = (family: Family, text: string): void => void texts.set(family, (texts.get(family) ?? '') + text);
    for (const [family, series] of this.#series)
      for (const [labels, one] of series)
        add(
          family,
          one instanceof Count ? sampleOf(family.name, labels, one.value) : histogramText(family, labels, one),
        );
    for (const samples of readings) for (const [family, text] of samples) add(family, text);
    const families = [...texts.keys()].sort((a, b) => (a.name < b.name ? -1 : 1));
    return families.map((family) => headOf(family) + (texts.get(family) ?? '')).join('');
  }

  async #readFrom(reader: Reader): Promise<readonly (readonly [Family, string])[]> {
    const samples: [Family, string][] = [];
    const put: PutSample = (family, labels, value) =>
      void samples.push([family, sampleOf(family.name, labelsText(family, labels), value)]);
    try {
      if (reader.isBusy) throw new Error('the reading before it has not ended');
      reader.isBusy = true;
      const reading = (async () => reader.read(put))().finally(() => (reader.isBusy = false));
      await within(reading, this.#readMs, 'a reading');
      return samples;
    } catch {
      if (this.#failedReadings !== undefined) this.#failedReadings.value++;
      return [];
    }
  }

  #seriesOf(family: Family, labels: Labels, make: () => Count | Histogram): Count | Histogram {
    const series = this.#series.get(family) ?? new Map<string, Count | Histogram>();
    this.#series.set(family, series);
    const requestedLabels = labelsText(family, labels);
    const isKnown = series.has(requestedLabels);
    const text = isKnown || series.size < seriesMax ? requestedLabels : labelsText(family, otherLabelsOf(family));
    const known = series.get(text) ?? make();
    series.set(text, known);
    return known;
  }
}

const otherLabelsOf = ({ labels }: Family): Labels =>
  Object.fromEntries(Object.keys(labels).map((name) => [name, 'other']));
