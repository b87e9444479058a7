// Formats one record as lines, each with a name and a value.
import { plainLine, plainText } from '../plain-text.ts';
import type { Style } from '../style.ts';

/** A null value is left out. `paint` is applied to the shown text. */
export type Field = readonly [
  name: string,
  value: string | number | null | undefined,
  paint?: (text: string) => string,
];

/** Values can be foreign text: they cannot control the terminal, and their further lines do not look like fields. */
export function fields(rows: readonly Field[], style: Style): string {
  return rows
    .flatMap(([name, value, paint = (text: string) => text]) => {
      if (value === null || value === undefined) return [];
      return [`${style.faint(`${plainLine(name)}:`)} ${paint(plainText(String(value)).replaceAll('\n', '\n  '))}`];
    })
    .join('\n');
}
