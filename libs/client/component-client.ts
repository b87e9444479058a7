// The part of the client for saved and published components, forms and the code of sources.
import { DeliveryClient } from './delivery-client.ts';
import { segment } from './http.ts';
import type { Http } from './http.ts';
import type {
  ComponentReference,
  OptionsRequest,
  PropOptions,
  PropsForValues,
  PropsRequest,
} from './forms/form-records.ts';
import type { Component, ComponentSummary, Page, SourceCode } from './records.ts';
import type { ComponentSearchRequest, ComponentsRequest, Repeatable, SaveRequest } from './requests.ts';

/** Keys of components, the best match first. */
export interface ComponentSearch {
  readonly sources: readonly string[];
  readonly actions: readonly string[];
}

interface Enveloped<T = Component> {
  readonly data: T;
}

export class ComponentClient extends DeliveryClient {
  readonly #http: Http;

  constructor(http: Http) {
    super(http);
    this.#http = http;
  }

  /** Returns the existing component if the same code was saved before. */
  async saveComponent(request: SaveRequest, { idempotencyKey }: Repeatable = {}): Promise<Component> {
    const post = { method: 'POST', path: 'components', body: request, idempotencyKey } as const;
    return (await this.#http.call<Enveloped>(post)).data;
  }

  /** `idOrKey` is the component's; sources deployed from it are kept. */
  async unpublishComponent(idOrKey: string): Promise<void> {
    await this.#http.call({ method: 'DELETE', path: `components/${segment(idOrKey)}` });
  }

  /** `id` is the component's; sources deployed from it are kept. */
  async deleteComponent(id: string): Promise<void> {
    await this.#http.call({ method: 'DELETE', path: `components/${segment(id)}`, query: { purge: true } });
  }

  /** Returns the options of a prop of a component, which need not be deployed. */
  options(request: ComponentReference & OptionsRequest): Promise<PropOptions> {
    return this.#post('components/configure', request);
  }

  /** Returns the props that a component has with the given values. */
  propsFor(request: ComponentReference & PropsRequest): Promise<PropsForValues> {
    return this.#post('components/props', request);
  }

  /** Returns the options of a prop of a source, with the source's values where the request has none. */
  sourceOptions(sourceId: string, request: OptionsRequest): Promise<PropOptions> {
    return this.#post(`sources/${segment(sourceId)}/configure`, request);
  }

  /**
   * Returns the latest version of the component with this key in the npm registry, and saves it if it is new. An API
   * key without the scope `write` receives the version that was saved last.
   */
  async registryComponent(key: string): Promise<Component> {
    const path = `components/registry/${segment(key)}`;
    return (await this.#http.call<Enveloped>({ method: 'GET', path })).data;
  }

  /** Searches the components of an app in the npm registry; needs the scope `write`. */
  searchComponents(request: ComponentSearchRequest): Promise<ComponentSearch> {
    return this.#http.call({ method: 'GET', path: 'components/search', query: request });
  }

  components(request: ComponentsRequest = {}): Promise<Page<ComponentSummary>> {
    return this.#http.call({ method: 'GET', path: 'components', query: request });
  }

  /** A key means the version that was saved last. */
  async component(idOrKey: string): Promise<Component> {
    return (await this.#http.call<Enveloped>({ method: 'GET', path: `components/${segment(idOrKey)}` })).data;
  }

  /** Returns the code of a source, whether or not it is saved as a component. */
  async sourceCode(sourceId: string): Promise<SourceCode> {
    const path = `sources/${segment(sourceId)}/code`;
    return (await this.#http.call<Enveloped<SourceCode>>({ method: 'GET', path })).data;
  }

  async #post<T>(path: string, body: object): Promise<T> {
    return (await this.#http.call<Enveloped<T>>({ method: 'POST', path, body })).data;
  }
}
