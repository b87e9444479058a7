// Source texts that attack the compiler: a text that it cannot take is refused, and the next deploy is not affected.
import { sizes } from '../../../../../libs/domain/sizes.ts';
import type { ComponentAttack } from '../attack.ts';
import { component, refused, ran } from '../attack.ts';

/** How often the text fits into the code of a deploy. */
const fill = (text: string, around = 0): number => Math.floor((sizes.codeBytes - 1_000 - around) / text.length);
const times = (text: string): string => text.repeat(fill(text));

/** A component that holds a value; the product may accept or refuse it. */
const holding = (name: string, value: () => string): ComponentAttack => ({
  kind: 'component',
  name: `compile: ${name}`,
  code: () => component({ before: `const hostile = () => (${value()});` }),
  said: { deploy: 'either' },
});

const pair = (open: string, close: string, middle = '0'): string => {
  const count = Math.floor((sizes.codeBytes - 1_000) / (open.length + close.length));
  return open.repeat(count) + middle + close.repeat(count);
};

const nestings: readonly ComponentAttack[] = [
  refused('compile: as many brackets that open as code may have', () => times('[')),
  holding('brackets, each in the other', () => pair('[', ']')),
  holding('parentheses, each in the other', () => pair('(', ')')),
  holding('objects within objects', () => pair('{a:', '}')),
  holding('negations', () => `${times('!')}0`),
  holding('signs', () => `${times('- ')}0`),
  holding('typeof of typeof', () => `${times('typeof ')}0`),
  holding('template literals within template literals', () => pair('`${', '}`')),
  holding('arrow functions', () => `${times('a=>')}0`),
  holding('functions within functions', () => pair('function(){return ', '}')),
  holding('classes within classes', () => pair('class{a=', '}')),
  holding('calls of calls', () => `f${times('()')}`),
  holding('members of members', () => `f${times('.a')}`),
  holding('optional members', () => `f${times('?.a')}`),
  holding('new of new', () => `${times('new ')}f`),
  holding('choices within choices', () => `${times('a?b:')}c`),
  holding('powers of powers', () => `${times('2**')}2`),
  holding('a sum of as many numbers as code may have', () => `${times('1+')}1`),
  holding('assignments of assignments', () => `${times('a=')}1`),
  holding('spreads within spreads', () => pair('[...', ']', '[]')),
  holding('await of await', () => `async () => ${times('await ')}0`),
  holding('an endless chain of if and else', () => `() => { ${times('if(a);else ')}; }`),
  holding('blocks within blocks', () => `() => { ${pair('{', '}', ';')} }`),
  holding('loops within loops', () => `() => { ${times('for(;;)')}; }`),
  holding('labels of labels', () => `() => { ${Array.from({ length: 60_000 }, (_, n) => `l${n}:`).join('')}; }`),
  holding('patterns within patterns', () => `(${pair('[', ']', 'a')}) => a`),
];

const texts: readonly ComponentAttack[] = [
  ran('compile: a comment as long as code may be', { before: `/*${times('*')}*/` }, { run: 'succeeded' }),
  ran('compile: as many line comments as code may have', { before: times('//\n') }, { run: 'succeeded' }),
  ran('compile: a text as long as code may be', { before: `const text = '${times('x')}';` }, { run: 'succeeded' }),
  holding('a regular expression as long as code may be', () => `/${times('a')}/`),
  holding('a regular expression of nested groups', () => `/${pair('(', ')', 'a')}/`),
  holding('a regular expression of classes', () => `/${times('[^a]')}/`),
  holding('a name as long as code may be', () => times('a')),
  holding('a number as long as code may be', () => `${times('9')}n`),
  holding('escapes', () => `'${times('\\u{1F600}')}'`),
  holding(
    'a hundred thousand names',
    () => `() => { let ${Array.from({ length: 60_000 }, (_, n) => `v${n}`).join()}; }`,
  ),
  refused('compile: a comment without end', () => `/*${times('x')}`),
  refused('compile: a template literal without end', () => `const a = \`${times('${')}`),
  refused('compile: a regular expression without end', () => `const a = /${times('(')}`),
  refused('compile: ten thousand imports', () =>
    Array.from({ length: 10_000 }, (_, n) => `import 'package-${n}';`).join('\n'),
  ),
  refused('compile: an import from the machine', () => "import '/etc/passwd';"),
  {
    kind: 'component',
    name: 'compile: a source map of its own',
    code: () => component({}) + '\n//# sourceMappingURL=data:application/json;base64,e30=\n//# sourceURL=/etc/passwd',
    said: { run: 'succeeded' },
  },
  {
    kind: 'component',
    name: 'compile: NUL, line separators and a byte order mark',
    code: () => `\ufeff${component({ run: "console.log('a\\u2028\u2028\0');" })}`,
    said: { deploy: 'either' },
  },
  {
    kind: 'component',
    name: 'compile: a half of a UTF-16 pair',
    code: () => component({ run: "console.log('\ud800');" }),
    said: { deploy: 'either' },
  },
  refused('compile: a component of 1,025 KiB', () => `//${'x'.repeat(1_025 * 1024)}`, { code: 'too_large' }),
];

export const compiles: readonly ComponentAttack[] = [...nestings, ...texts];
