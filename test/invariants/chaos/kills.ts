// `kill -9` of a random process of the product: all of it, or one that something else starts again.
import { readdirSync, readFileSync } from 'node:fs';
import type { Product } from '../../support/product.ts';
import type { Draw } from './draw.ts';

/** One of so many kills is of everything. */
const wholeOf = 3;

export async function killOne(product: Product, draw: Draw): Promise<void> {
  const others = groupOf(product.pid).filter((pid) => pid !== product.pid);
  const one = draw.below(wholeOf) === 0 ? undefined : draw.of(others);
  if (one === undefined) {
    await product.kill();
    return product.start();
  }
  try {
    process.kill(one, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** The processes of a group, from /proc. */
function groupOf(groupId: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => groupIdOf(pid) === groupId);
}

/** Undefined: it has ended. Counted from behind the name, which may hold anything. */
function groupIdOf(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[2]);
  } catch {
    return undefined;
  }
}
