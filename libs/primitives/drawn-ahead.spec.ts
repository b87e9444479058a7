import { drawnAhead } from './drawn-ahead.ts';

/** Each byte is the next number, so that what is given tells where it was drawn. */
function counting(): { readonly draw: (count: number) => Buffer; readonly draws: Buffer[] } {
  const draws: Buffer[] = [];
  let next = 0;
  const draw = (count: number): Buffer => {
    const drawn = Buffer.from(Array.from({ length: count }, () => next++ % 251));
    draws.push(drawn);
    return drawn;
  };
  return { draw, draws };
}

test('a thousand small draws are one after the other what was drawn, in few draws, and no byte is given twice', () => {
  const { draw, draws } = counting();
  const ahead = drawnAhead(draw);
  const drawn = Array.from({ length: 1_000 }, () => ahead(16));
  expect(Buffer.concat(drawn)).toEqual(counting().draw(16_000));
  expect(draws).toHaveLength(4);
});

test('what was given is not kept', () => {
  const { draw, draws } = counting();
  const ahead = drawnAhead(draw);
  const given = ahead(12);
  expect(draws[0]?.subarray(0, 12)).toEqual(Buffer.alloc(12));
  expect(given).toEqual(counting().draw(12));
});

test('where too few are left, new ones are drawn; what is large is drawn for itself', () => {
  const { draw, draws } = counting();
  const ahead = drawnAhead(draw);
  for (let n = 0; n < 100; n++) expect(ahead(64)).toHaveLength(64);
  expect(ahead(65)).toHaveLength(65);
  expect(draws.map(({ length }) => length)).toEqual([4_096, 4_096, 65]);
});
