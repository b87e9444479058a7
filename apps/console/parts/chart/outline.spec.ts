import { columnAt, outlinePath } from './outline.ts';

test('columns are drawn from the baseline up as one shape; zero has no column, a small value a thin one', () => {
  expect(outlinePath([0.5, 0, 1, 0.001], 56)).toBe('M0.1 56v-28h0.8v28zM2.1 56v-56h0.8v56zM3.1 56v-2h0.8v2z');
  expect(outlinePath([], 56)).toBe('');
});

test('columns have equal widths, and positions beyond the edges fall into the first or last column', () => {
  expect([-0.1, 0, 0.24, 0.25, 0.99, 1].map((across) => columnAt(across, 4))).toEqual([0, 0, 0, 1, 3, 3]);
});
