// What most stories need: the product and a receiver, there before a file's first test and gone after its last.
import { engine } from './engine.ts';
import { Product } from './product.ts';
import { Receiver } from './receiver.ts';
import { leaksOf } from './stored/sealed-secrets.ts';

/** Building a snapshot on a busy machine is the longest part of a first start. */
const startMs = 90_000;

export interface Cast {
  readonly product: Product;
  readonly receiver: Receiver;
}

/** To be called once at the top of a spec; the members are there within tests. */
export function withCast({ findsLeaks = engine === 'embedded' }: { readonly findsLeaks?: boolean } = {}): Cast {
  const cast: { product?: Product; receiver?: Receiver } = {};
  beforeAll(async () => {
    cast.receiver = await Receiver.start();
    cast.product = await Product.start();
  }, startMs);
  afterAll(async () => {
    await cast.product?.stop();
    // Of the distributed engine one story looks (`api-secrets`): reading all its topics takes seconds a story.
    const leaks = findsLeaks && cast.product !== undefined ? await leaksOf(cast.product) : [];
    await cast.product?.remove();
    await cast.receiver?.stop();
    expect(leaks).toEqual([]);
  }, startMs);
  return {
    get product() {
      return there(cast.product);
    },
    get receiver() {
      return there(cast.receiver);
    },
  };
}

function there<T>(member: T | undefined): T {
  if (member === undefined) throw new Error('the cast is there only within tests');
  return member;
}
