const file = new URL('../../../deploy/local/distributed/scale.mjs', import.meta.url).href;
const { parseScale } = (await import(file)) as { parseScale(text?: string): ReadonlyMap<string, number> };

const scaled = (text?: string): object => Object.fromEntries(parseScale(text));
const one = { lifecycle: 1, scheduler: 1, runtime: 1, delivery: 1, projection: 1, audit: 1, gateway: 1 };

test('every app runs once unless SCALE gives another count', () => {
  expect(scaled()).toEqual(one);
  expect(scaled('')).toEqual(one);
  expect(scaled('runtime=2, delivery=12')).toEqual({ ...one, runtime: 2, delivery: 12 });
});

test.each(['runtime', 'runtime=0', 'runtime=33', 'runtime=-1', 'runtime=2=3', 'workers=2', 'runtime:2'])(
  'refuses SCALE=%s and names the expected form',
  (text) => {
    expect(() => parseScale(text)).toThrow(/SCALE is ".*": give app=count/);
  },
);
