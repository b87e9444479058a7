// Reads the metrics of every process of a product, as Prometheus does, and parses them strictly.
import { engine } from '../engine.ts';
import type { Product } from '../product.ts';

export interface Sample {
  /** Ends with `_bucket`, `_sum` or `_count` if it is part of a histogram. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The metrics of one process: the answer's text, and its parsed series. */
export interface Exposition {
  readonly text: string;
  /** The types by the names of their families. */
  readonly types: ReadonlyMap<string, string>;
  readonly samples: readonly Sample[];
}

export const expositionsOf = (product: Product): Promise<readonly Exposition[]> =>
  Promise.all(processesOf(product).map(async (url) => parse(await (await fetch(`${url}/metrics`)).text())));

/** Apps other than the gateway log their address. */
function processesOf({ baseUrl, output }: Product): readonly string[] {
  if (engine === 'embedded') return [baseUrl];
  return [...new Set([...output.matchAll(/(http:\/\/127\.0\.0\.1:\d+)\/health"/g)].map(([, url]) => url ?? ''))];
}

/** The sum of the matching series of all processes. */
export function total(
  expositions: readonly Exposition[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  const matches = (one: Sample): boolean =>
    one.name === name && Object.entries(labels).every(([label, value]) => one.labels[label] === value);
  return expositions.flatMap(({ samples }) => samples.filter(matches)).reduce((sum, { value }) => sum + value, 0);
}

const samplePattern = /^(?<name>[a-z_0-9]+)(\{(?<labels>.*)\})? (?<value>[-+]?Inf|NaN|[-+\d.e]+)$/;
const labelPattern = /([a-z]+)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/gy;

/** Throws an Error that quotes the line if it is not in the format, or if a series occurs twice. */
function parse(text: string): Exposition {
  const types = new Map<string, string>();
  const series = new Set<string>();
  const samples: Sample[] = [];
  let family = '';
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  for (const one of text.slice(0, -1).split('\n')) {
    const type = /^# TYPE ([a-z_0-9]+) (counter|gauge|histogram)$/.exec(one);
    if (type !== null) {
      family = type[1] ?? '';
      if (types.has(family)) throw new Error(`${family} comes twice`);
      types.set(family, type[2] ?? '');
    } else if (!/^# HELP [a-z_0-9]+ \S/.test(one)) {
      const labelled = one.slice(0, one.lastIndexOf(' '));
      if (series.has(labelled)) throw new Error(`${labelled} comes twice`);
      series.add(labelled);
      samples.push(sampleIn(one, family, types.get(family)));
    }
  }
  return { text, types, samples };
}

function sampleIn(text: string, family: string, type: string | undefined): Sample {
  const { name = '', labels = '', value = '' } = samplePattern.exec(text)?.groups ?? {};
  const suffix = name.startsWith(family) ? name.slice(family.length) : undefined;
  const isOfFamily = type === 'histogram' ? /^_(bucket|sum|count)$/.test(suffix ?? '') : suffix === '';
  if (!isOfFamily) throw new Error(`under ${family} stands ${JSON.stringify(text)}`);
  const found = [...labels.matchAll(labelPattern)];
  if (found.map(([whole]) => whole).join('') !== labels) throw new Error(`labels are wrong in ${JSON.stringify(text)}`);
  const pairs = found.map(([, label = '', labelValue = '']) => [label, labelValue] as const);
  return { name, labels: Object.fromEntries(pairs), value: Number(value.replace('Inf', 'Infinity')) };
}
