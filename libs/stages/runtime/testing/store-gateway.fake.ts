// Sends requests to data stores in specs as a gateway does, and keeps the answers.
import type { Json } from '../../../domain/json.ts';
import type { StoreAnswer } from '../../../domain/store/question.ts';
import { until } from './life.fake.ts';
import type { World } from './world.fake.ts';

export const store = 'ds_8kQ2vYx0LmB4nTzR';

export class StoreGateway {
  readonly #world: World;
  readonly answers = new Map<string, StoreAnswer | null>();

  constructor(world: World) {
    this.#world = world;
    world.log.onReply('gw_1', (reply) => {
      if (reply.type !== 'DataStoreAnswered') return;
      this.answers.set(reply.requestId, reply.answer && (world.open(reply.answer) as unknown as StoreAnswer));
    });
  }

  async ask(question: Json): Promise<StoreAnswer> {
    const id = await this.#world.askStore(question);
    await until(() => this.answers.has(id), 'the answer');
    const answer = this.answers.get(id);
    if (answer === undefined || answer === null) throw new Error('It was answered with nothing');
    return answer;
  }

  create(name = 'Seen'): Promise<StoreAnswer> {
    return this.ask({ op: 'create', store, name });
  }

  set(key: string, value: Json, ttl?: number): Promise<StoreAnswer> {
    return this.ask({ op: 'set', store, key, value, ...(ttl === undefined ? {} : { ttl }) });
  }
}
