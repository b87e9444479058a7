// What a hostile case is: a component that is deployed and run, or a request as it stands on the wire, and what must be said of it.

export type Attack = ComponentAttack | RequestAttack;

export interface ComponentAttack {
  readonly kind: 'component';
  readonly name: string;
  /** Made when it is needed: some are large. */
  readonly code: () => string;
  readonly props?: Readonly<Record<string, unknown>>;
  /** Sent to its endpoint one after the other; by default one empty `POST`. */
  readonly requests?: readonly EndpointRequest[];
  readonly said: Said;
}

export interface EndpointRequest {
  readonly method?: string;
  /** Below the endpoint, query string included. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: () => string;
  /** What its client must get; by default 200. */
  readonly statuses?: readonly number[];
}

export type Said = Refused | Either | Ran;

/** The deploy is a 4xx, and its words say why. */
export interface Refused {
  readonly deploy: 'refused';
  /** By default `component_invalid`. */
  readonly code?: string;
  readonly error?: RegExp;
}

/** The product may take the deploy or refuse it; what it takes runs. */
export interface Either {
  readonly deploy: 'either';
}

/** The deploy is accepted; every request has its run record. */
export interface Ran {
  /** Absent: the product may choose, and must say which. */
  readonly run?: 'succeeded' | 'failed';
  /** What the error of a failed run says: its name, a colon, its message. */
  readonly error?: RegExp;
  readonly console?: RegExp;
  /** What must stand nowhere in the run records. */
  readonly never?: RegExp;
  /** Exactly the events of all runs, in order. */
  readonly events?: readonly unknown[];
  readonly eventCount?: number;
}

/** Whom a request is sent to. */
export interface Target {
  readonly host: string;
  readonly apiKey: string;
  /** Of a source that answers with what it saw of the request. */
  readonly echoPath: string;
  readonly echoId: string;
}

export interface RawRequest {
  /** Request line and header fields without the empty line; `Connection: close` is added. */
  readonly head: readonly string[];
  readonly body?: string | Buffer;
  /** The body never ends: what is sent of it is all that comes. */
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
  /** What its answer must hold, head and body. */
  readonly answer?: RegExp;
  /** What its answer must not hold. */
  readonly never?: RegExp;
}

interface Parts {
  /** The body of `run(event)`; `this` is the component. */
  readonly run?: string;
  /** In front of `module.exports`. */
  readonly before?: string;
  /** More props, each with a comma at its end. */
  readonly props?: string;
  /** More members of the component, each with a comma at its end. */
  readonly members?: string;
  /** The prop `http`; by default without an answer of its own. */
  readonly http?: string;
}

/** A component with an endpoint that does its worst unless the query says `calm`, so that it can be asked again for nothing. */
export const component = ({ run = '', before = '', props = '', members = '', http }: Parts): string => `${before}
module.exports = {
  name: 'Hostile', version: '0.0.1',
  props: { http: ${http ?? "'$.interface.http'"}, ${props} },
  ${members}
  async run(event) {
    if (event.query?.calm !== undefined) return;
    ${run}
  },
};`;

export const answering = "{ type: '$.interface.http', customResponse: true }";
export const db = "db: '$.service.db',";

/** A component that is deployed and asked once. */
export function ran(name: string, parts: Parts, said: Ran): ComponentAttack {
  return { kind: 'component', name, code: () => component(parts), said };
}

/** A component whose deploy is refused. */
export function refused(name: string, code: () => string, said: Omit<Refused, 'deploy'> = {}): ComponentAttack {
  return { kind: 'component', name, code, said: { deploy: 'refused', ...said } };
}
