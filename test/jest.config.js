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

/** The same specs on each engine; those in a folder with an engine's name are about that one alone. */
function onEngine(suite, engine) {
  const others = engines.filter((other) => other !== engine);
  return {
    ...shared,
    displayName: `${suite}-${engine}`,
    testMatch: [`<rootDir>/test/${suite}/**/*.e2e.spec.ts`],
    testPathIgnorePatterns: ['/node_modules/', ...others.map((other) => `<rootDir>/test/${suite}/(.+/)?${other}/`)],
    globals: { productEngine: engine },
  };
}

export default {
  rootDir,
  projects: [
    { ...shared, displayName: 'libs', testMatch: ['<rootDir>/libs/**/*.spec.ts', '<rootDir>/apps/**/*.spec.ts'] },
    { ...shared, displayName: 'form', testMatch: ['<rootDir>/test/form/**/*.spec.ts'] },
    ...['flow', 'invariants'].flatMap((suite) => engines.map((engine) => onEngine(suite, engine))),
  ],
};
