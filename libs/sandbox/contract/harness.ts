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
export interface SandboxUnderTest {
  readonly sandbox: Sandbox;
  readonly bundleOf: (code: string) => Promise<Bundle>;
}

/** `components`: all that the suite deploys. The suite closes the sandboxes that it opened. */
export type OpenSandbox = (components: readonly ContractComponent[]) => Promise<SandboxUnderTest>;

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

export interface StartedInvocation {
  readonly outcome: Promise<InvocationOutcome>;
  readonly responses: readonly HttpResponse[];
  /** How often the sandbox requested the db. */
  readonly dbRequests: () => number;
  /** How often it requested the bundle. */
  readonly loads: () => number;
}

export interface InvokeOptions {
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

export function invoke({ sandbox, bundleOf }: SandboxUnderTest, options: InvokeOptions): StartedInvocation {
  const responses: HttpResponse[] = [];
  let dbRequests = 0;
  let loads = 0;
  const outcome = sandbox.invoke({
    sourceId: options.sourceId ?? 'dc_contract',
    revision: options.revision ?? 1,
    bundle: () => {
      loads++;
      return options.bundle?.() ?? bundleOf(options.component.code);
    },
    what: options.what ?? 'run',
    event: options.event ?? {},
    isHttp: options.isHttp ?? false,
    onlyBody: options.onlyBody ?? false,
    secrets: options.secrets ?? [],
    props: options.props ?? {},
    follows: options.follows ?? false,
    concurrent: options.concurrent ?? false,
    muted: options.muted ?? false,
    ...(options.beginBy === undefined ? {} : { beginBy: options.beginBy }),
    ...(options.telling === undefined ? {} : { telling: options.telling }),
    db: () => {
      dbRequests++;
      return options.db ?? {};
    },
    onRespond: (response) => responses.push(response),
  });
  return { outcome, responses, dbRequests: () => dbRequests, loads: () => loads };
}
