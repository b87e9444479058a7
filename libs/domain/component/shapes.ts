// The shapes of a component's parts in records: program, manifest, console, error and requests.
import {
  either,
  finite,
  flag,
  json,
  list,
  natural,
  nullable,
  object,
  oneOf,
  optional,
  record,
  sealed,
  text,
} from '../shape/checks.ts';
import type { ShapeOf } from '../shape/checks.ts';
import type { HttpRequestData } from './http/request-data.ts';
import type { Manifest, PropDefinition } from './manifest.ts';
import type { ComponentError, ComponentRequest, ComponentRequests, ConsoleLine } from './output.ts';
import type { RegistryComponent, RegistryQuery } from './program/registry-component.ts';
import { propFieldNames, propFields } from './prop-fields.ts';
import type { FieldKind, PropFields } from './prop-fields.ts';
import type { PropProblem } from './props/prop-problem.ts';

const consoleLine = object<ConsoleLine>({
  level: oneOf('debug', 'log', 'info', 'warn', 'error'),
  text,
  at: finite,
});
export const consoleLines = list(consoleLine);

export const componentError = object<ComponentError>({
  name: text,
  message: text,
  stack: optional(text),
  line: optional(finite),
  column: optional(finite),
});

const componentRequest = object<ComponentRequest>({
  method: text,
  host: text,
  status: nullable(natural),
  durationMs: finite,
});
export const componentRequests = object<ComponentRequests>({ count: natural, list: list(componentRequest) });

const propField = {
  string: optional(text),
  boolean: optional(flag),
  number: optional(finite),
  json: optional(json),
  list: optional(list(json)),
  object: optional(record(json)),
} satisfies Record<FieldKind, unknown>;

const propDefinition = object<PropDefinition>({
  name: text,
  type: text,
  ...(Object.fromEntries(propFieldNames.map((name) => [name, propField[propFields[name]]])) as ShapeOf<PropFields>),
});

export const manifest = object<Manifest>({
  name: text,
  version: text,
  key: optional(text),
  description: optional(text),
  type: oneOf('source', 'action'),
  dedupe: optional(oneOf('unique', 'greatest', 'last')),
  props: list(propDefinition),
  hooks: list(oneOf('event_names', 'deploy', 'activate', 'deactivate')),
  methods: list(text),
  additionalProps: flag,
  sampleEmit: optional(flag),
  annotations: optional(record(flag)),
  authFields: optional(list(text)),
});

export const httpRequest = object<HttpRequestData>({
  method: text,
  path: text,
  url: text,
  query: record(either(text, list(text))),
  headers: record(text),
  sealedHeaders: nullable(sealed),
  bodyBase64: text,
  sealedBody: optional(sealed),
  noRun: optional(flag),
  clientIp: text,
});

/** What to look for in the registry. */
export const registryQuery = object<RegistryQuery>({ app: text, key: optional(text) });

export const registryComponents = list(
  object<RegistryComponent>({ key: text, type: oneOf('source', 'action'), name: text, description: text }),
);

export const locked = { lock: optional(text) };
/** The parts of a program besides the text of its entry file. */
export const otherFiles = { entry: optional(text), files: optional(record(text)), ...locked };

export const propProblems = list(object<PropProblem>({ prop: text, message: text }));
