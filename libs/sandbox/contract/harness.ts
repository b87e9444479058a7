// Runs the contract suite's components in a sandbox under test. Each has two forms: code, and a script for the fake.
import type { Json, JsonObject } from '../../domain/json.ts';
import type { Manifest } from '../../domain/component/manifest.ts';
import type { Bundle } from '../../packages/packages.ts';
import type { HttpResponse, Invocation, InvocationOutcome, Sandbox } from '../sandbox.ts';
import type { FakeComponent } from '../sandbox.fake.ts';

export interface ContractComponent {
  readonly code: string;
  readonly scripted: FakeComponent;
}

/** A sandbox, and the function that makes a bundle of a component's text. */
export interface Opened {
  readonly sandbox: Sandbox;
  readonly bundleOf: (code: string) => Promise<Bundle>;
}

/** `components`: all that the suite deploys. The suite closes the sandboxes that it opened. */
export type OpenSandbox = (components: readonly ContractComponent[]) => Promise<Opened>;

export const manifestOf = (name: string, more: Partial<Manifest> = {}): Manifest => ({
  name,
  version: '0.1.0',
  type: 'source',
  props: [],
  hooks: [],
  methods: [],
  additionalProps: false,
  sampleEmit: false,
  ...more,
});

/** Resolves when `isTrue` returns true; components wait in the same way, because the suite cannot signal to them. */
export async function waitUntil(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 2));
}

export interface Invoked {
  readonly outcome: Promise<InvocationOutcome>;
  readonly responses: readonly HttpResponse[];
  /** How often the sandbox requested the db. */
  readonly asked: () => number;
  /** How often it requested the bundle. */
  readonly loads: () => number;
}

export interface Order {
  readonly component: ContractComponent;
  /** Replaces the component's own bundle. */
  readonly bundle?: () => Promise<Bundle>;
  readonly sourceId?: string;
  readonly revision?: number;
  readonly what?: Invocation['what'];
  readonly event?: Json;
  readonly isHttp?: boolean;
  readonly onlyBody?: boolean;
  readonly secrets?: readonly string[];
  readonly props?: JsonObject;
  readonly db?: Readonly<Record<string, string>>;
  readonly follows?: boolean;
  readonly concurrent?: boolean;
  readonly muted?: boolean;
  readonly beginBy?: number;
  readonly telling?: Invocation['telling'];
}

export function invoke({ sandbox, bundleOf }: Opened, order: Order): Invoked {
  const responses: HttpResponse[] = [];
  let asked = 0;
  let loads = 0;
  const outcome = sandbox.invoke({
    sourceId: order.sourceId ?? 'dc_contract',
    revision: order.revision ?? 1,
    bundle: () => {
      loads++;
      return order.bundle?.() ?? bundleOf(order.component.code);
    },
    what: order.what ?? 'run',
    event: order.event ?? {},
    isHttp: order.isHttp ?? false,
    onlyBody: order.onlyBody ?? false,
    secrets: order.secrets ?? [],
    props: order.props ?? {},
    follows: order.follows ?? false,
    concurrent: order.concurrent ?? false,
    muted: order.muted ?? false,
    ...(order.beginBy === undefined ? {} : { beginBy: order.beginBy }),
    ...(order.telling === undefined ? {} : { telling: order.telling }),
    db: () => {
      asked++;
      return order.db ?? {};
    },
    onRespond: (response) => responses.push(response),
  });
  return { outcome, responses, asked: () => asked, loads: () => loads };
}
