// Types of hostile cases: a component that is deployed and run, or a raw request, and the expected results.

export type Attack = ComponentAttack | RequestAttack;

export interface ComponentAttack {
  readonly kind: 'component';
  readonly name: string;
  /** Made on demand, because some are large. */
  readonly code: () => string;
  readonly props?: Readonly<Record<string, unknown>>;
  /** Sent to its endpoint one after another; by default one empty `POST`. */
  readonly requests?: readonly EndpointRequest[];
  readonly expected: Expectation;
}

export interface EndpointRequest {
  readonly method?: string;
  /** Appended to the endpoint's URL, with the query string. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: () => string;
  /** The statuses that the client must get; by default 200. */
  readonly statuses?: readonly number[];
}

export type Expectation = ExpectedRefusal | EitherOutcome | ExpectedRun;

/** The deploy is refused with a 4xx, and its message says why. */
export interface ExpectedRefusal {
  readonly deploy: 'refused';
  /** The error code; by default `component_invalid`. */
  readonly code?: string;
  readonly error?: RegExp;
}

/** The product may accept or refuse the deploy; an accepted source must run. */
export interface EitherOutcome {
  readonly deploy: 'either';
}

/** The deploy is accepted; every request has its run record. */
export interface ExpectedRun {
  /** Absent: either; the product may choose, and must report which. */
  readonly run?: 'succeeded' | 'failed';
  /** Matches the error of a failed run: its name, a colon, its message. */
  readonly error?: RegExp;
  readonly console?: RegExp;
  /** Must not occur in the run records. */
  readonly never?: RegExp;
  /** Exactly the events of all runs, in order. */
  readonly events?: readonly unknown[];
  readonly eventCount?: number;
}

/** The receiver of a request. */
export interface Target {
  readonly host: string;
  readonly apiKey: string;
  /** The endpoint of a source that answers with the request that it saw. */
  readonly echoPath: string;
  readonly echoId: string;
}

export interface RawRequest {
  /** Request line and header fields without the empty line; `Connection: close` is added. */
  readonly head: readonly string[];
  readonly body?: string | Buffer;
  /** The body never ends: only the given part is sent. */
  readonly endless?: true;
}

export interface RequestAttack {
  readonly kind: 'request';
  readonly name: string;
  readonly request: (target: Target) => RawRequest;
  /** 0: the connection is closed without an answer. */
  readonly statuses: readonly number[];
  /** The `code` of the refusal. */
  readonly code?: string;
  /** Must occur in the answer, head or body. */
  readonly answer?: RegExp;
  /** Must not occur in the answer. */
  readonly never?: RegExp;
}

interface ComponentParts {
  /** The body of `run(event)`; `this` is the component. */
  readonly run?: string;
  /** Code before `module.exports`. */
  readonly before?: string;
  /** More props, each with a comma at its end. */
  readonly props?: string;
  /** More members of the component, each with a comma at its end. */
  readonly members?: string;
  /** The prop `http`; by default without custom responses. */
  readonly http?: string;
}

/** The code of a component that attacks at each request, unless the query has `calm`, which is harmless. */
export const component = ({
  run = '',
  before = '',
  props = '',
  members = '',
  http,
}: ComponentParts): string => `${before}
module.exports = {
  name: 'Hostile', version: '0.0.1',
  props: { http: ${http ?? "'$.interface.http'"}, ${props} },
  ${members}
  async run(event) {
    if (event.query?.calm !== undefined) return;
    ${run}
  },
};`;

export const customResponseProp = "{ type: '$.interface.http', customResponse: true }";
export const db = "db: '$.service.db',";

/** A component that is deployed and gets one request. */
export function runAttack(name: string, parts: ComponentParts, expected: ExpectedRun): ComponentAttack {
  return { kind: 'component', name, code: () => component(parts), expected };
}

/** A component whose deploy is refused. */
export function refusedDeploy(
  name: string,
  code: () => string,
  expected: Omit<ExpectedRefusal, 'deploy'> = {},
): ComponentAttack {
  return { kind: 'component', name, code, expected: { deploy: 'refused', ...expected } };
}
