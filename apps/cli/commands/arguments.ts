// Arguments and options that are read in one way by every command.
import { InvalidArgumentError } from 'commander';

/** Lists are held in memory. */
const countMax = 10_000;

/** How many, as a whole number. */
export function count(text: string): number {
  const n = Number(text);
  if (text.trim() === '' || !Number.isInteger(n) || n < 0 || n > countMax)
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${countMax}.`);
  return n;
}

/** An option that may be given several times. */
export const repeated = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/** Whole numbers, separated by commas. */
export const repeatedCounts = (text: string): readonly number[] =>
  text.split(',').map((item) => {
    const n = Number(item);
    if (item.trim() === '' || !Number.isInteger(n) || n < 0)
      throw new InvalidArgumentError('It must be whole numbers, separated by commas.');
    return n;
  });
