// Suspects run one source at a time, and are free when they have shown themselves harmless.
import { Quarantine } from './quarantine.ts';

const suspecting = (...sources: string[]): Quarantine => {
  const quarantine = new Quarantine(20);
  quarantine.suspect(new Set(sources));
  return quarantine;
};

describe('Quarantine', () => {
  it('holds suspects only', () => {
    const quarantine = suspecting('a');
    expect([quarantine.holds('a'), quarantine.holds('b')]).toEqual([true, false]);
  });

  it('lets several invocations of one source in, and another source only after the last of them', async () => {
    const quarantine = suspecting('a', 'b');
    expect(await quarantine.enter('a')).toBe(true);
    expect(await quarantine.enter('a')).toBe(true);
    const order: string[] = [];
    const other = quarantine.enter('b').then((alone) => order.push(`b ${alone}`));
    expect(quarantine.leave('a', true)).toBe(false);
    order.push('a left');
    expect(quarantine.leave('a', true)).toBe(true);
    await other;
    expect(order).toEqual(['a left', 'b true']);
  });

  it('keeps a source whose process died, and frees one whose invocation ended', async () => {
    const quarantine = suspecting('a', 'b');
    await quarantine.enter('a');
    quarantine.leave('a', false);
    await quarantine.enter('b');
    quarantine.leave('b', true);
    expect([quarantine.holds('a'), quarantine.holds('b')]).toEqual([true, false]);
  });

  it('holds a freed source until its last invocation has left, because its db lives there', async () => {
    const quarantine = suspecting('a');
    await quarantine.enter('a');
    await quarantine.enter('a');
    quarantine.leave('a', true);
    expect(quarantine.holds('a')).toBe(true);
    quarantine.leave('a', true);
    expect(quarantine.holds('a')).toBe(false);
  });

  it('sends away who has waited for too long, and suspects it no more', async () => {
    const quarantine = suspecting('a', 'b');
    await quarantine.enter('a');
    expect(await Promise.all([quarantine.enter('b'), quarantine.enter('b')])).toEqual([false, false]);
    expect(quarantine.holds('b')).toBe(false);
  });

  it('forgives the oldest beyond its bound', () => {
    const quarantine = suspecting(...Array.from({ length: 1_001 }, (_, at) => `s${at}`));
    expect([quarantine.holds('s0'), quarantine.holds('s1'), quarantine.holds('s1000')]).toEqual([false, true, true]);
  });
});
