// Kills, with `kill -9`, a random process that the product itself starts again, or everything, and then starts it.
import { readdirSync, readFileSync } from 'node:fs';
import type { Product } from '../../support/product.ts';
import type { Draw } from './draw.ts';

/** One of so many kills ends everything. */
const fullKillOneIn = 3;

export async function killOne(product: Product, draw: Draw): Promise<void> {
  const others = groupOf(product.pid).filter((pid) => pid !== product.pid);
  const victim = draw.below(fullKillOneIn) === 0 ? undefined : draw.of(others);
  if (victim === undefined) {
    await product.kill();
    return product.start();
  }
  try {
    process.kill(victim, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

/** The process ids of a group, from /proc. */
function groupOf(groupId: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => groupIdOf(pid) === groupId);
}

/** Undefined: it has ended. Fields are counted from after the name, which can contain anything. */
function groupIdOf(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[2]);
  } catch {
    return undefined;
  }
}
