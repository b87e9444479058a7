// Arguments and options that are read in one way by every command.
import { InvalidArgumentError, Option } from 'commander';

/** Lists are held in memory, and each of these may have hundreds of kilobytes. */
const largeMax = 1_000;
const smallMax = 10_000;

const countUpTo =
  (max: number) =>
  (text: string): number => {
    const n = Number(text);
    if (text.trim() === '' || !Number.isInteger(n) || n < 0 || n > max)
      throw new InvalidArgumentError(`It must be a whole number from 0 to ${max}.`);
    return n;
  };

const listedByDefault = 100;

/** How many records of a list. */
export const numberOption = (): Option =>
  new Option('-n, --number <n>', 'show at most this many').argParser(countUpTo(smallMax)).default(listedByDefault);

/** How many events, runs or deliveries. */
export const countOfLarge = countUpTo(largeMax);

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
