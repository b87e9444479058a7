// Called by the shells' completions: prints the candidates, one a line, and never fails.
import type { Command } from 'commander';
import type { Client } from '../../../libs/client/index.ts';
import { Session } from '../session/session.ts';
import type { Surroundings } from '../session/session.ts';
import { findCandidates } from './candidates.ts';
import type { Candidates } from './candidates.ts';

export const completionCommand = '__complete';

/** Longer than anybody waits after Tab. */
const answerMsMax = 1_000;
/** More than anybody reads. */
const namesMax = 100;

export async function complete(
  program: Command,
  words: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const candidates = findCandidates(program, words);
  const typed = words.at(-1) ?? '';
  const names = await namesOf(surroundings, candidates).catch(() => []);
  for (const word of [...candidates.words, ...names.filter((name) => name.startsWith(typed))])
    surroundings.io.stdout.write(`${word}\n`);
  return 0;
}

async function namesOf(surroundings: Surroundings, candidates: Candidates): Promise<readonly string[]> {
  if (!candidates.wantsSources && !candidates.wantsWebhooks) return [];
  const client = await new Session(surroundings, {}).client(undefined, answerMsMax);
  const [sources, webhooks] = await Promise.all([
    candidates.wantsSources ? sourceNames(client) : [],
    candidates.wantsWebhooks ? webhookNames(client) : [],
  ]);
  return [...webhooks, ...sources].filter((name) => /^[\w-]+$/.test(name));
}

/** Slugs, which need no shell quoting. A source whose slug is another's name is completed by its id. */
async function sourceNames(client: Client): Promise<readonly string[]> {
  const { data } = await client.sources({ limit: namesMax });
  const isOwn = (slug: string, id: string): boolean => !data.some((other) => other.name === slug && other.id !== id);
  return data.map(({ id, name_slug: slug }) => (slug !== null && isOwn(slug, id) ? slug : id));
}

/** Names. A webhook whose name is shared or needs shell quoting is completed by its id. */
async function webhookNames(client: Client): Promise<readonly string[]> {
  const { data } = await client.webhooks({ limit: namesMax });
  return data.map(({ id, name }) => {
    const isOwn = !data.some((other) => other.name === name && other.id !== id);
    return name !== null && isOwn && /^[\w-]+$/.test(name) ? name : id;
  });
}
