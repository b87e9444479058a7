// Checks records against the schemas in docs/asyncapi.yaml.
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { topics } from '../../libs/domain/flow.ts';
import type { TopicName } from '../../libs/domain/flow.ts';

interface Document {
  readonly channels: Readonly<Record<string, { readonly messages: Readonly<Record<string, unknown>> }>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> };
}

export interface ReadRecord {
  readonly headers: Readonly<Record<string, string>>;
  readonly data: unknown;
}

export class TopicSchemas {
  readonly #document: Document;
  readonly #ajv = new Ajv({ strict: false, allErrors: true });

  constructor() {
    const text = readFileSync(new URL('../../docs/asyncapi.yaml', import.meta.url), 'utf8');
    this.#document = closeObjectSchemas(parse(text)) as Document;
    this.#ajv.addSchema(this.#document, 'asyncapi');
  }

  get topics(): readonly string[] {
    return Object.keys(this.#document.channels);
  }

  /** The differences of a record from its topic's documentation; empty: none. */
  problems(topic: string, { headers, data }: ReadRecord): readonly string[] {
    const type = headers['ce_type'] ?? '';
    if (this.#document.channels[topic]?.messages[type] === undefined) return [`${topic} has no message '${type}'`];
    const documented = this.#document.components.schemas['CloudEventHeaders']?.properties ?? {};
    const unknown = Object.keys(headers).filter((name) => !Object.hasOwn(documented, name));
    return [
      ...unknown.map((name) => `${type}: the header ${name} is not documented`),
      ...this.#check(`${type}/headers`, headers),
      ...(isTombstone(topic, data) ? [] : this.#check(`${type}/payload`, data)),
    ];
  }

  #check(path: string, value: unknown): readonly string[] {
    const validate = this.#ajv.getSchema(`asyncapi#/components/messages/${path}`);
    if (validate === undefined) return [`nothing is documented at ${path}`];
    if (validate(value) === true) return [];
    return (validate.errors ?? []).map(({ instancePath, message = '', params }) =>
      [path, instancePath, message, JSON.stringify(params)].join(' '),
    );
  }
}

/** Whether it deletes its key: a record without data on a compacted topic. */
const isTombstone = (topic: string, data: unknown): boolean =>
  data === undefined && topics[topic as TopicName].compacted;

/** Closes the schema's objects to unknown fields, which the document allows, because readers must ignore them. */
function closeObjectSchemas(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeObjectSchemas);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closeObjectSchemas(inner)]));
  const isObjectSchema =
    copy['type'] === 'object' && copy['properties'] !== undefined && copy['required'] !== undefined;
  return isObjectSchema ? { additionalProperties: false, ...copy } : copy;
}
