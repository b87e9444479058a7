// Source texts that attack the compiler: a text that it cannot take is refused, and the next deploy is not affected.
import { sizes } from '../../../../../libs/domain/sizes.ts';
import type { ComponentAttack } from '../attack.ts';
import { component, refusedDeploy, runAttack } from '../attack.ts';

/** How often the text fits into the code of a deploy. */
const repeatCount = (text: string, around = 0): number => Math.floor((sizes.codeBytes - 1_000 - around) / text.length);
const filledWith = (text: string): string => text.repeat(repeatCount(text));

/** A component that holds a value; the product may accept or refuse it. */
const componentHolding = (name: string, value: () => string): ComponentAttack => ({
  kind: 'component',
  name: `compile: ${name}`,
  code: () => component({ before: `const hostile = () => (${value()});` }),
  expected: { deploy: 'either' },
});

const nestedPairs = (open: string, close: string, middle = '0'): string => {
  const count = Math.floor((sizes.codeBytes - 1_000) / (open.length + close.length));
  return open.repeat(count) + middle + close.repeat(count);
};

const nestings: readonly ComponentAttack[] = [
  refusedDeploy('compile: as many brackets that open as code may have', () => filledWith('[')),
  componentHolding('brackets, each in the other', () => nestedPairs('[', ']')),
  componentHolding('parentheses, each in the other', () => nestedPairs('(', ')')),
  componentHolding('objects within objects', () => nestedPairs('{a:', '}')),
  componentHolding('negations', () => `${filledWith('!')}0`),
  componentHolding('signs', () => `${filledWith('- ')}0`),
  componentHolding('typeof of typeof', () => `${filledWith('typeof ')}0`),
  componentHolding('template literals within template literals', () => nestedPairs('`${', '}`')),
  componentHolding('arrow functions', () => `${filledWith('a=>')}0`),
  componentHolding('functions within functions', () => nestedPairs('function(){return ', '}')),
  componentHolding('classes within classes', () => nestedPairs('class{a=', '}')),
  componentHolding('calls of calls', () => `f${filledWith('()')}`),
  componentHolding('members of members', () => `f${filledWith('.a')}`),
  componentHolding('optional members', () => `f${filledWith('?.a')}`),
  componentHolding('new of new', () => `${filledWith('new ')}f`),
  componentHolding('choices within choices', () => `${filledWith('a?b:')}c`),
  componentHolding('powers of powers', () => `${filledWith('2**')}2`),
  componentHolding('a sum of as many numbers as code may have', () => `${filledWith('1+')}1`),
  componentHolding('assignments of assignments', () => `${filledWith('a=')}1`),
  componentHolding('spreads within spreads', () => nestedPairs('[...', ']', '[]')),
  componentHolding('await of await', () => `async () => ${filledWith('await ')}0`),
  componentHolding('an endless chain of if and else', () => `() => { ${filledWith('if(a);else ')}; }`),
  componentHolding('blocks within blocks', () => `() => { ${nestedPairs('{', '}', ';')} }`),
  componentHolding('loops within loops', () => `() => { ${filledWith('for(;;)')}; }`),
  componentHolding(
    'labels of labels',
    () => `() => { ${Array.from({ length: 60_000 }, (_, n) => `l${n}:`).join('')}; }`,
  ),
  componentHolding('patterns within patterns', () => `(${nestedPairs('[', ']', 'a')}) => a`),
];

const texts: readonly ComponentAttack[] = [
  runAttack('compile: a comment as long as code may be', { before: `/*${filledWith('*')}*/` }, { run: 'succeeded' }),
  runAttack('compile: as many line comments as code may have', { before: filledWith('//\n') }, { run: 'succeeded' }),
  runAttack(
    'compile: a text as long as code may be',
    { before: `const text = '${filledWith('x')}';` },
    { run: 'succeeded' },
  ),
  componentHolding('a regular expression as long as code may be', () => `/${filledWith('a')}/`),
  componentHolding('a regular expression of nested groups', () => `/${nestedPairs('(', ')', 'a')}/`),
  componentHolding('a regular expression of classes', () => `/${filledWith('[^a]')}/`),
  componentHolding('a name as long as code may be', () => filledWith('a')),
  componentHolding('a number as long as code may be', () => `${filledWith('9')}n`),
  componentHolding('escapes', () => `'${filledWith('\\u{1F600}')}'`),
  componentHolding(
    'a hundred thousand names',
    () => `() => { let ${Array.from({ length: 60_000 }, (_, n) => `v${n}`).join()}; }`,
  ),
  refusedDeploy('compile: a comment without end', () => `/*${filledWith('x')}`),
  refusedDeploy('compile: a template literal without end', () => `const a = \`${filledWith('${')}`),
  refusedDeploy('compile: a regular expression without end', () => `const a = /${filledWith('(')}`),
  refusedDeploy('compile: ten thousand imports', () =>
    Array.from({ length: 10_000 }, (_, n) => `import 'package-${n}';`).join('\n'),
  ),
  refusedDeploy('compile: an import from the machine', () => "import '/etc/passwd';"),
  {
    kind: 'component',
    name: 'compile: a source map of its own',
    code: () => component({}) + '\n//# sourceMappingURL=data:application/json;base64,e30=\n//# sourceURL=/etc/passwd',
    expected: { run: 'succeeded' },
  },
  {
    kind: 'component',
    name: 'compile: NUL, line separators and a byte order mark',
    code: () => `\ufeff${component({ run: "console.log('a\\u2028\u2028\0');" })}`,
    expected: { deploy: 'either' },
  },
  {
    kind: 'component',
    name: 'compile: a half of a UTF-16 pair',
    code: () => component({ run: "console.log('\ud800');" }),
    expected: { deploy: 'either' },
  },
  refusedDeploy('compile: a component of 1,025 KiB', () => `//${'x'.repeat(1_025 * 1024)}`, { code: 'too_large' }),
];

export const compiles: readonly ComponentAttack[] = [...nestings, ...texts];
