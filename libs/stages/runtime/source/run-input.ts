// Makes the input of a run: its unsealed props, its event, and the list of its secrets.
import { isUtf8 } from 'node:buffer';
import type { Manifest } from '../../../domain/component/manifest.ts';
import { decodedBody } from '../../../primitives/content-coding.ts';
import type { HttpRequestData } from '../../../domain/component/http/request-data.ts';
import type { UnparsedHttpEvent } from '../../../domain/component/http/parsed-body.ts';
import type { Trigger } from '../../../domain/source/messages.ts';
import { propTypeOf } from '../../../domain/component/props/prop-types.ts';
import { manualRunEvent } from '../../../domain/source/manual-run-event.ts';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { headerSecrets } from '../../../domain/secrets/header-secrets.ts';
import { collectSecrets } from '../../../domain/secrets/mask.ts';
import { isSealed } from '../../../domain/secrets/seal.ts';
import { sizes } from '../../../domain/sizes.ts';
import type { Sealed } from '../../../domain/secrets/sealed.ts';
import type { Configured } from './definitions.ts';

type Unseal = (sealed: Sealed) => Json;

/** Throws when a sealed value does not open. */
export interface Unsealer {
  open(sealed: Sealed): Json;
  openBytes(sealed: Sealed): Buffer;
}

export interface UnsealedProps {
  readonly props: JsonObject;
  readonly secrets: readonly string[];
}

/** Unsealed props for the sandbox; props of type `$.interface.http` get their endpoint. Throws if one does not open. */
export function unsealProps({ manifest, props }: Configured, endpoint: string, unseal: Unseal): UnsealedProps {
  const values: Record<string, Json> = {};
  const secrets: string[] = [];
  for (const [name, value] of Object.entries(props)) {
    const unsealed = isSealed(value) ? unseal(value) : value;
    if (isSealed(value)) secrets.push(...secretsIn(manifest, name, unsealed as Json));
    if (unsealed !== undefined) values[name] = unsealed as Json;
  }
  for (const { name, type } of manifest.props) {
    if (type === '$.interface.http') values[name] = { endpoint };
  }
  return { props: values, secrets };
}

function secretsIn({ props }: Manifest, name: string, value: Json): readonly string[] {
  const type = props.find((prop) => prop.name === name)?.type ?? '';
  return (propTypeOf(type)?.secretsIn ?? collectSecrets)(value);
}

export interface EventInput {
  readonly event: Json;
  /** Whether the sandbox makes its `body` from `bodyRaw`. */
  readonly isHttp: boolean;
  /** The event of an app: `run` gets the body alone. */
  readonly onlyBody?: boolean;
  readonly secrets: readonly string[];
}

/** The source's data from which an event is made when the trigger carries none. */
export interface SourceInfo {
  readonly manifest: Manifest;
  readonly endpoint: string;
}

/**
 * The argument of `run` (docs/reference/component-api.md, "What `run` gets"). A hook gets `{}`, so that its event is
 * never undefined.
 */
export function makeEventInput(
  { data, at }: Trigger,
  { manifest, endpoint }: SourceInfo,
  unsealer: Unsealer,
): EventInput {
  if (data.http !== undefined)
    return { ...httpEvent(data.http, unsealer), ...(data.kind === 'apphook' ? { onlyBody: true } : {}) };
  const event = data.event ?? (data.kind === 'manual' ? manualRunEvent(manifest, { endpoint, at }) : {});
  return { event, isHttp: false, secrets: [] };
}

function httpEvent(http: HttpRequestData, unsealer: Unsealer): EventInput {
  const sealed = (http.sealedHeaders === null ? {} : unsealer.open(http.sealedHeaders)) as {
    readonly [name: string]: string;
  };
  const headers = { ...http.headers, ...sealed };
  const { method, path, query, url, clientIp, sealedBody } = http;
  const body = sealedBody === undefined ? Buffer.from(http.bodyBase64, 'base64') : unsealer.openBytes(sealedBody);
  return {
    event: { method, path, query, headers, ...bodyFields(headers, body), body: null, url, client_ip: clientIp },
    isHttp: true,
    secrets: Object.entries(sealed).flatMap(([name, value]) => headerSecrets(name, value)),
  };
}

/** Of a body with a `Content-Encoding`, what it is decoded to, and what was sent. */
function bodyFields(headers: HttpRequestData['headers'], body: Buffer): Pick<UnparsedHttpEvent, BodyField> {
  const decoded = decodedBody(headers['content-encoding'], body, sizes.endpointBodyBytes);
  return Buffer.isBuffer(decoded) ? { ...rawBody(decoded), sentBase64: body.toString('base64') } : rawBody(body);
}

type BodyField = 'bodyRaw' | 'bodyBase64' | 'sentBase64';

/** As text if the bytes are valid UTF-8; the sandbox makes the text of other bytes. */
const rawBody = (body: Buffer): Pick<UnparsedHttpEvent, 'bodyRaw' | 'bodyBase64'> =>
  isUtf8(body) ? { bodyRaw: body.toString('utf8') } : { bodyRaw: '', bodyBase64: body.toString('base64') };
