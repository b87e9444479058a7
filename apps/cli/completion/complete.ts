// What the shells' completions call: the candidates, one a line, whatever happens.
import type { Command } from 'commander';
import { Session } from '../session/session.ts';
import type { Surroundings } from '../session/session.ts';
import { candidates } from './candidates.ts';

export const completionCommand = '__complete';

/** Nobody waits longer for a Tab. */
const answerMsMax = 1_000;
/** Nobody reads more. */
const sourcesMax = 100;

export async function complete(
  program: Command,
  words: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const { words: found, wantsSources } = candidates(program, words);
  const typed = words.at(-1) ?? '';
  const names = wantsSources ? await sourceNames(surroundings).catch(() => []) : [];
  for (const word of [...found, ...names.filter((name) => name.startsWith(typed))])
    surroundings.io.stdout.write(`${word}\n`);
  return 0;
}

/** Slugs: nothing in them means anything to a shell. */
async function sourceNames(surroundings: Surroundings): Promise<readonly string[]> {
  const client = await new Session(surroundings, {}).client(undefined, answerMsMax);
  const { data } = await client.sources({ limit: sourcesMax });
  return data.flatMap(({ name_slug }) => (name_slug !== null && /^[\w-]+$/.test(name_slug) ? [name_slug] : []));
}
