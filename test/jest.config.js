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

export default {
  rootDir,
  projects: [
    { ...shared, displayName: 'libs', testMatch: ['<rootDir>/libs/**/*.spec.ts', '<rootDir>/apps/**/*.spec.ts'] },
    { ...shared, displayName: 'form', testMatch: ['<rootDir>/test/form/*.spec.ts'] },
    { ...shared, displayName: 'flow', testMatch: ['<rootDir>/test/flow/**/*.e2e.spec.ts'] },
    { ...shared, displayName: 'invariants', testMatch: ['<rootDir>/test/invariants/**/*.e2e.spec.ts'] },
  ],
};
