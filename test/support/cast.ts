// What most stories need: the product and a receiver, there before a file's first test and gone after its last.
import { engine } from './engine.ts';
import { SharedKills } from './processes/shared-kills.ts';
import { Product } from './product.ts';
import { Receiver } from './receiver.ts';
import { leaksOf } from './stored/sealed-secrets.ts';

/** Building a snapshot on a busy machine is the longest part of a first start. */
const startMs = 90_000;

export interface Cast {
  readonly product: Product;
  readonly receiver: Receiver;
  /** Of the product. */
  readonly kills: SharedKills;
}

interface CastOptions {
  readonly findsLeaks?: boolean;
}

let shared: Cast | undefined;

/** At the top of a spec, or of each file with its stories: they share the members, which are there within tests. */
export function withCast(options: CastOptions = {}): Cast {
  return (shared ??= newCast(options));
}

function newCast({ findsLeaks = engine === 'embedded' }: CastOptions): Cast {
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
    kills: new SharedKills(() => there(cast.product)),
  };
}

function there<T>(member: T | undefined): T {
  if (member === undefined) throw new Error('the cast is there only within tests');
  return member;
}
