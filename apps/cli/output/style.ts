// Colours by meaning; none if colours are off.
import { inspect, styleText } from 'node:util';

const colors = {
  strong: 'bold',
  faint: 'dim',
  good: 'green',
  bad: 'red',
  warning: 'yellow',
  name: 'cyan',
} as const;

/** The numbers of the colour codes in use. */
export const paintCodes: readonly number[] = Object.values(colors).flatMap((color) => inspect.colors[color] ?? []);

export type Style = Readonly<Record<keyof typeof colors, (text: string) => string>>;

export function styleFor(isColored: boolean): Style {
  const paint =
    (color: (typeof colors)[keyof typeof colors]) =>
    (text: string): string =>
      // Colours are decided already; with validation, Node would check the environment again.
      isColored ? styleText(color, text, { validateStream: false }) : text;
  return {
    strong: paint(colors.strong),
    faint: paint(colors.faint),
    good: paint(colors.good),
    bad: paint(colors.bad),
    warning: paint(colors.warning),
    name: paint(colors.name),
  };
}
