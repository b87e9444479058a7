// A separate process that writes views until it is killed, and prints each checkpoint that was reported as saved.
import type { ViewDefinition } from '../view-store.ts';
import { SqliteViewStore } from './sqlite-view-store.ts';

const definitions: readonly ViewDefinition[] = [{ name: 'books', indexes: { byShelf: ['shelf', 'year'] } }];
const perRound = 40;

const [, , file = ''] = process.argv;
const store = await SqliteViewStore.open({ file, definitions });
for (let round = 1; ; round++) {
  const writes = Array.from({ length: perRound }, (_, i) => ({
    view: 'books',
    id: `${round % 3}/${i}`,
    version: round,
    value: { shelf: `${i}`, year: round, text: 'x'.repeat(200) },
  }));
  await store.live().put(writes);
  await store.live().saveCheckpoint({ 'channels/0': round });
  process.stdout.write(`${round}\n`);
}
