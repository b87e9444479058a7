// One Jest for everything: unit and contract specs beside the code, user stories and invariants in this folder.
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

/** By name; of a suite's folder those of the suites within are left out. */
const suites = {
  flow: 'test/flow',
  invariants: 'test/invariants',
  hostile: 'test/invariants/hostile',
  outages: 'test/invariants/distributed',
  conformance: 'test/conformance',
  cli: 'test/cli',
  browser: 'test/browser',
};

/** Servers and apps that go away are those of one engine; the command line and the console see of an engine what the API shows. */
const onOne = { outages: ['distributed'], cli: ['embedded'], browser: ['embedded'] };
const enginesOf = (suite) => onOne[suite] ?? engines;

/**
 * The same specs on each engine, but those in a folder with an engine's name. Either they are about that one, or what they
 * try is decided before the log and the views, or in the sandbox: there is one gateway, one guard and one sandbox, whatever
 * the engine, so the one that starts at once tries them. What an engine could do otherwise (what stays after a kill, what
 * stands where, how much one record takes, who answers whom) is in specs that run on both.
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
