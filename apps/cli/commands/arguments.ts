// Parsers of arguments and options that several commands share.
import { InvalidArgumentError, Option } from 'commander';

/** Lists are held in memory, and each of these records can have hundreds of kilobytes. */
const largeMax = 1_000;
const smallMax = 10_000;
/** The service's maximum (docs/api.md, "Replays"). */
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

/** The option for how many records to list. */
export const numberOption = (): Option =>
  new Option('-n, --number <n>', 'show at most this many')
    .argParser(countBetween(0, smallMax))
    .default(listedByDefault);

/** Parses how many events, runs or deliveries to list. */
export const parseListCount = countBetween(0, largeMax);

/** Parses a number of events per second. */
export const rateOf = countBetween(1, rateMax);

/** The note below a list that was cut: how to see the rest. */
export const cutNote = (shown: number, total: number, what: string): string =>
  `${shown} of ${total} ${what}; -n ${total <= smallMax ? `${total} shows all` : `shows ${smallMax} at most`}.`;

/** Collects the values of an option that can be repeated. */
export const collectValues = (text: string, previous: readonly string[] = []): readonly string[] => [...previous, text];

/** Parses whole numbers, separated by commas. */
export const parseCounts = (text: string): readonly number[] =>
  text.split(',').map((item) => {
    const n = Number(item);
    if (item.trim() === '' || !Number.isInteger(n) || n < 0)
      throw new InvalidArgumentError('It must be whole numbers, separated by commas.');
    return n;
  });
