// Writes metrics in Prometheus' text format, version 0.0.4.
import type { Family, Labels } from './family.ts';
import type { Histogram } from './series.ts';

export const expositionType = 'text/plain; version=0.0.4; charset=utf-8';

export const headOf = ({ name, type, help }: Family): string =>
  `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n`;

/** Labels in the order of the family: `stage="runtime",lane="runs"`. Throws for a missing or an unknown label. */
export function labelsText({ name, labels: declared }: Family, labels: Labels): string {
  const names = Object.keys(declared);
  if (names.length !== Object.keys(labels).length || !names.every((one) => labels[one] !== undefined))
    throw new Error(`${name} has the labels ${names.join(', ')}, and ${Object.keys(labels).join(', ')} were given`);
  return names.map((one) => `${one}="${escaped(labels[one] ?? '')}"`).join(',');
}

export const sampleOf = (name: string, labels: string, value: number): string =>
  `${name}${labels === '' ? '' : `{${labels}}`} ${numberText(value)}\n`;

export function histogramText({ name }: Family, labels: string, { bounds, counts, sum }: Histogram): string {
  let text = '';
  let cumulative = 0;
  for (const [i, count] of counts.entries()) {
    cumulative += count;
    const bound = `le="${numberText(bounds[i] ?? Infinity)}"`;
    text += sampleOf(`${name}_bucket`, labels === '' ? bound : `${labels},${bound}`, cumulative);
  }
  return text + sampleOf(`${name}_sum`, labels, sum) + sampleOf(`${name}_count`, labels, cumulative);
}

const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

function numberText(value: number): string {
  if (value === Infinity) return '+Inf';
  return value === -Infinity ? '-Inf' : String(value);
}
