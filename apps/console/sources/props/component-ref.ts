// Names the component that a form asks for props and options, and the values so far that it sends along.
import type { ConfigurableProp } from '../../api/records.ts';
import { readDrafts } from './prop-values.ts';
import type { Drafts } from './prop-values.ts';

/** A saved component, or that of a source, whose deployed values count too. */
export interface ComponentRef {
  readonly path: string;
  readonly body: { readonly component_id?: string };
}

export const refToComponent = (id: string): ComponentRef => ({ path: '/v1/components', body: { component_id: id } });
export const refToSource = (id: string): ComponentRef => ({ path: `/v1/sources/${id}`, body: {} });

export type Values = Readonly<Record<string, unknown>>;

/** Without invalid values, which are still being typed; without empty ones, unless they clear a deployed value. */
export function currentValues(component: ComponentRef, props: readonly ConfigurableProp[], drafts: Drafts): Values {
  const { values } = readDrafts(props, drafts);
  const isDeployed = component.body.component_id === undefined;
  return Object.fromEntries(Object.entries(values).filter(([, value]) => isDeployed || value !== null));
}
