// The Jest projects of all tests: unit and contract specs next to the code, stories and invariants in this folder.
import { fileURLToPath } from 'node:url';

const rootDir = fileURLToPath(new URL('..', import.meta.url));

const swc = [
  '@swc/jest',
  {
    jsc: {
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
      target: 'es2024',
    },
    module: { type: 'es6' },
  },
];

const shared = {
  rootDir,
  testEnvironment: 'node',
  transform: { '^.+\\.ts$': swc },
  extensionsToTreatAsEsm: ['.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/node_modules'],
};

const engines = ['embedded', 'distributed'];

/** The folder of each suite; a suite does not include those of other suites within it. */
const suites = {
  flow: 'test/flow',
  invariants: 'test/invariants',
  hostile: 'test/invariants/hostile',
  outages: 'test/invariants/distributed',
  conformance: 'test/conformance',
  cli: 'test/cli',
  browser: 'test/browser',
};

/** Suites for one engine: only one has servers and apps that can go away, and `pd` and the console see only the API. */
const onOne = { outages: ['distributed'], cli: ['embedded'], browser: ['embedded'] };
const enginesOf = (suite) => onOne[suite] ?? engines;

/**
 * Runs the same specs on each engine, except those in a folder with an engine's name. These concern that engine, or
 * test what is decided before the log and the views, or in the sandbox. Gateway, guard and sandbox are the same on both
 * engines, so they run on the faster one to start. What engines could do differently (what remains after a kill, what
 * is stored where, the size of a record, which process answers) is in specs that run on both.
 */
function onEngine(suite, engine) {
  const folder = suites[suite];
  const others = engines.filter((other) => other !== engine);
  const within = Object.values(suites).filter((other) => other.startsWith(`${folder}/`));
  const left = [
    ...within.map((other) => `<rootDir>/${other}/`),
    ...others.map((other) => `<rootDir>/${folder}/(.+/)?${other}/`),
  ];
  return {
    ...shared,
    displayName: `${suite}-${engine}`,
    testMatch: [`<rootDir>/${folder}/**/*.e2e.spec.ts`],
    testPathIgnorePatterns: ['/node_modules/', ...left],
    globals: { productEngine: engine },
  };
}

export default {
  rootDir,
  testSequencer: fileURLToPath(new URL('./longest-first.mjs', import.meta.url)),
  projects: [
    { ...shared, displayName: 'libs', testMatch: ['<rootDir>/libs/**/*.spec.ts', '<rootDir>/apps/**/*.spec.ts'] },
    { ...shared, displayName: 'form', testMatch: ['<rootDir>/test/form/**/*.spec.ts'] },
    ...Object.keys(suites).flatMap((suite) => enginesOf(suite).map((engine) => onEngine(suite, engine))),
  ],
};
