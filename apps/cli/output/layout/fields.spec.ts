import { styleFor } from '../style.ts';
import { fields } from './fields.ts';

const plain = styleFor(false);

test('each value is a line after its name; null is left out', () => {
  const rows = [
    ['id', 'dc_1'],
    ['count', 0],
    ['none', null],
    ['unknown', undefined],
  ] as const;
  expect(fields(rows, plain)).toBe('id: dc_1\ncount: 0');
});

test('no value controls the terminal or looks like another field, and colours are kept', () => {
  const rows = [
    ['component', 'acme\u001b]52;c;cm0gLXJm\u0007'],
    ['prop \u001b[2J', 'a\nstate: active'],
    ['state', 'act\u009bive', (text: string) => `<${text}>`],
  ] as const;
  expect(fields(rows, plain)).toBe(
    'component: acme\\u001b]52;c;cm0gLXJm\\u0007\nprop \\u001b[2J: a\n  state: active\nstate: <act\\u009bive>',
  );
  expect(fields([['state', 'active', styleFor(true).good]], styleFor(true))).toContain('\u001b[32mactive\u001b[39m');
});
