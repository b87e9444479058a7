// Starts the product and a receiver before the first test of a file, and removes them after its last.
import { engine } from './engine.ts';
import { SharedKills } from './processes/shared-kills.ts';
import { Product } from './product.ts';
import { Receiver } from './receiver.ts';
import { leaksOf } from './stored/sealed-secrets.ts';

/** Building a snapshot on a busy machine is the longest part of a first start. */
const startMs = 90_000;

export interface Fixture {
  readonly product: Product;
  readonly receiver: Receiver;
  /** Kills of the product that stories share. */
  readonly kills: SharedKills;
}

interface FixtureOptions {
  readonly findsLeaks?: boolean;
}

let shared: Fixture | undefined;

/** Call it at the top of a spec, or of each of its story files, which share the fixture. It exists only within tests. */
export function withFixture(options: FixtureOptions = {}): Fixture {
  return (shared ??= newFixture(options));
}

function newFixture({ findsLeaks = engine === 'embedded' }: FixtureOptions): Fixture {
  const started: { product?: Product; receiver?: Receiver } = {};
  beforeAll(async () => {
    started.receiver = await Receiver.start();
    started.product = await Product.start();
  }, startMs);
  afterAll(async () => {
    await started.product?.stop();
    // On the distributed engine only one story does this (`api-secrets`): reading all topics takes seconds.
    const leaks = findsLeaks && started.product !== undefined ? await leaksOf(started.product) : [];
    await started.product?.remove();
    await started.receiver?.stop();
    expect(leaks).toEqual([]);
  }, startMs);
  return {
    get product() {
      return requireStarted(started.product);
    },
    get receiver() {
      return requireStarted(started.receiver);
    },
    kills: new SharedKills(() => requireStarted(started.product)),
  };
}

function requireStarted<T>(member: T | undefined): T {
  if (member === undefined) throw new Error('the fixture exists only within tests');
  return member;
}
