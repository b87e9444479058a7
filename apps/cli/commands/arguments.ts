// Arguments and options that are read in one way by every command.
import { InvalidArgumentError, Option } from 'commander';

/** Lists are held in memory, and each of these may have hundreds of kilobytes. */
const largeMax = 1_000;
const smallMax = 10_000;
/** What the service takes (docs/api.md, "Replays"). */
const rateMax = 10_000;

const countBetween =
  (min: number, max: number) =>
  (text: string): number => {
    const n = Number(text);
    if (text.trim() === '' || !Number.isInteger(n) || n < min || n > max)
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return n;
  };

const listedByDefault = 100;

/** How many records of a list. */
export const numberOption = (): Option =>
  new Option('-n, --number <n>', 'show at most this many')
    .argParser(countBetween(0, smallMax))
    .default(listedByDefault);

/** How many events, runs or deliveries. */
export const countOfLarge = countBetween(0, largeMax);

/** Events a second. */
export const rateOf = countBetween(1, rateMax);

/** Of a list that was cut: how to see the rest of it. */
export const cutNote = (shown: number, total: number, what: string): string =>
  `${shown} of ${total} ${what}; -n ${total <= smallMax ? `${total} shows all` : `shows ${smallMax} at most`}.`;

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
