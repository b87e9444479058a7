// One record as lines of a name and a value each.
import { plainLine, plainText } from '../plain-text.ts';
import type { Style } from '../style.ts';

/** What is null is left out. `paint` is applied to the text that is shown. */
export type Field = readonly [
  name: string,
  value: string | number | null | undefined,
  paint?: (text: string) => string,
];

/** Values may be what others wrote: none steers the terminal, and no line of one looks like a field of its own. */
export function fields(rows: readonly Field[], style: Style): string {
  return rows
    .flatMap(([name, value, paint = (text: string) => text]) => {
      if (value === null || value === undefined) return [];
      return [`${style.faint(`${plainLine(name)}:`)} ${paint(plainText(String(value)).replaceAll('\n', '\n  '))}`];
    })
    .join('\n');
}
