import { median, table } from '../bench/report/report.ts';
import { medianOf, quantile, type Figure } from '../bench/report/figure.ts';

const figure = (value: number, ratio: number | null, name = 'log.append'): Figure => ({
  name,
  value,
  unit: 'records/s',
  bound: ratio === null ? null : value / ratio,
  ratio,
  goal: '>= 0.5 of bound',
});

test('reports the run with the median ratio of three runs', () => {
  expect(median([[figure(900, 0.4)], [figure(100, 0.6)], [figure(500, 0.5)]])).toEqual([figure(500, 0.5)]);
});

test('takes the median by value for a figure without a bound', () => {
  expect(median([[figure(3, null)], [figure(1, null)], [figure(2, null)]])).toEqual([figure(2, null)]);
});

test('takes the median of each figure separately', () => {
  const runs = [1, 2, 3].map((n) => [figure(n, null, 'a'), figure(4 - n, null, 'b')]);
  expect(median(runs).map(({ name, value }) => [name, value])).toEqual([
    ['a', 2],
    ['b', 2],
  ]);
});

test('the table shows every figure in columns', () => {
  expect(table([figure(123_456.7, 0.5), figure(0.1234, null, 'p50')])).toBe(
    [
      'figure      value   unit       bound   ratio  goal',
      '----------  ------  ---------  ------  -----  ---------------',
      'log.append  123457  records/s  246913  0.50   >= 0.5 of bound',
      'p50         0.123   records/s                 >= 0.5 of bound',
    ].join('\n'),
  );
});

test('a quantile is found among values in any order, and changes none of them', () => {
  const values = [30, 4, 100, 2, 1];
  expect([medianOf(values), quantile(values, 0.99), quantile(values, 0)]).toEqual([4, 100, 1]);
  expect(values).toEqual([30, 4, 100, 2, 1]);
  expect(medianOf([])).toBe(0);
});
