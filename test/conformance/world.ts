// The world that component stories share: one booted service, the upstreams, and a user's calls of the REST API.
import { createClient } from '../../libs/client/index.ts';
import type { Client, EventSummary, Source, Run } from '../../libs/client/index.ts';
import { LocalRegistry } from '../../libs/packages/npm/fixture/local-registry.ts';
import { Product } from '../support/product.ts';
import { until } from '../support/until.ts';
import { installPackages } from './packages/install-packages.ts';
import { Upstream } from './upstream.ts';

/** The value of an `app` prop. */
export interface AccountValue {
  readonly authProvisionId: string;
}

export interface PostResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export interface PostRequest {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent unchanged; by default an empty JSON object. */
  readonly body?: string;
}

export interface OptionsPage {
  readonly options: readonly unknown[];
  /** The context to send with the request for the next page. */
  readonly context: unknown;
}

interface OptionsResponse {
  readonly options?: readonly unknown[];
  readonly string_options?: readonly string[];
  readonly context: unknown;
}

/** Longer than any test, so that such a timer runs only on request. */
export const dailyTimer = { intervalSeconds: 86_400 };

/** For a build with a cold cache, while others do the same. */
const deployDeadlineMs = 120_000;

export class World {
  readonly client: Client;
  readonly upstream: Upstream;
  readonly apiKey: string;
  readonly #product: Product;
  readonly #registry: LocalRegistry;

  private constructor(product: Product, apiKey: string, upstream: Upstream, registry: LocalRegistry) {
    this.#product = product;
    this.apiKey = apiKey;
    this.upstream = upstream;
    this.#registry = registry;
    this.client = createClient({ baseUrl: product.baseUrl, apiKey });
  }

  /** Starts an empty service, whose npm registry has only the packages of the suite. */
  static async open(): Promise<World> {
    const registry = await LocalRegistry.start(await installPackages());
    const upstream = await Upstream.start();
    const product = await Product.start({ env: { ...upstream.env, npm_config_registry: registry.url } });
    return new World(product, await product.apiKey(), upstream, registry);
  }

  get baseUrl(): string {
    return this.#product.baseUrl;
  }

  /** The service's output. */
  get output(): string {
    return this.#product.output;
  }

  async close(): Promise<void> {
    await this.#product.remove();
    await this.upstream.stop();
    await this.#registry.close();
  }

  /** Deploys the file of a package, such as `@acme/app@1.0.0/sources/new/new.mjs`, and waits until it is active. */
  async deploy(path: string, configured_props: Readonly<Record<string, unknown>>): Promise<Source> {
    const { id } = await this.client.deploySource({ component_code: codeReexporting(path), configured_props });
    // On a busy machine, the deploy can take longer than its answer waits.
    return until(
      `${path} to be active`,
      async () => {
        const source = await this.client.source(id);
        if (source.state === 'refused') throw new Error(`the deploy of ${path} was refused`);
        return source.state === 'active' && source;
      },
      deployDeadlineMs,
    );
  }

  async account(app: string, credentials: Readonly<Record<string, string>>): Promise<AccountValue> {
    const { id } = await this.post<{ readonly id: string }>('accounts', {
      app,
      name: `A ${app} account`,
      credentials,
    });
    return { authProvisionId: id };
  }

  /** Returns one page of a prop's options, without a deploy. */
  async options(path: string, request: Readonly<Record<string, unknown>>): Promise<OptionsPage> {
    const body = { component_code: codeReexporting(path), ...request };
    const { options, string_options, context } = await this.post<OptionsResponse>('components/configure', body);
    return { options: options ?? string_options ?? [], context };
  }

  /** Returns the props that the component adds for these values. */
  dynamicProps(path: string, configured_props: Readonly<Record<string, unknown>>): Promise<unknown> {
    return this.post('components/props', { component_code: codeReexporting(path), configured_props });
  }

  /** Runs the source now; without an event, as its schedule would. */
  async run(source: Source, event?: unknown): Promise<Run> {
    const run = await this.client.runNowAndWait(source.id, event === undefined ? {} : { event });
    if (!('outcome' in run)) throw new Error(`run ${run.id} of ${source.name ?? source.id} did not end in time`);
    return run;
  }

  /** Sends a request to the source's endpoint. */
  async send(source: Source, { path = '', headers, body = '{}' }: PostRequest = {}): Promise<PostResponse> {
    const response = await fetch(`${source.configured_props.http.endpoint_url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    return { status: response.status, headers: response.headers, body: await response.text() };
  }

  /** Waits for so many events of a channel; returns the newest, oldest first. */
  events(source: Source, count: number, channel = ''): Promise<readonly EventSummary[]> {
    return until(`${count} events of ${source.name ?? source.id}`, async () => {
      const { data } = await this.client.eventSummaries(source.id, { expand: 'event', event_name: channel });
      return data.length >= count && data.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    });
  }

  /** Waits for so many ended runs of requests; returns them, oldest first. */
  httpRuns(source: Source, count: number): Promise<readonly Run[]> {
    return this.runs(source, 'http', count);
  }

  /** The same for any kind of run. */
  runs(source: Source, kind: string, count: number): Promise<readonly Run[]> {
    return until(`${count} runs of ${source.name ?? source.id}`, async () => {
      const { data } = await this.client.runs(source.id, { kind });
      return data.length >= count && data.toReversed();
    });
  }

  /** Posts a request for which the client has no method; returns the data of the answer. */
  async post<T>(path: string, body: unknown): Promise<T> {
    const response = await fetch(`${this.baseUrl}/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`POST /v1/${path} answers ${response.status}: ${text}`);
    return (JSON.parse(text) as { readonly data: T }).data;
  }
}

export const codeReexporting = (path: string): string => `export { default } from ${JSON.stringify(path)};\n`;
