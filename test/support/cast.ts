// Starts the product and a receiver before the first test of a file, and removes them after its last.
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
  /** Kills of the product that stories share. */
  readonly kills: SharedKills;
}

interface CastOptions {
  readonly findsLeaks?: boolean;
}

let shared: Cast | undefined;

/** Call it at the top of a spec, or of each of its story files, which share the cast. It exists only within tests. */
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
    // On the distributed engine only one story does this (`api-secrets`): reading all topics takes seconds.
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
