// Names the component that a form asks for props and options, and the values so far that it sends along.
import type { ConfigurableProp } from '../../api/records.ts';
import { filled } from './prop-values.ts';
import type { Drafts } from './prop-values.ts';

/** A saved component, or that of a source, whose deployed values count too. */
export interface Asked {
  readonly path: string;
  readonly body: { readonly component_id?: string };
}

export const ofComponent = (id: string): Asked => ({ path: '/v1/components', body: { component_id: id } });
export const ofSource = (id: string): Asked => ({ path: `/v1/sources/${id}`, body: {} });

export type Values = Readonly<Record<string, unknown>>;

/** Without invalid values, which are still being typed; without empty ones, unless they clear a deployed value. */
export function valuesSoFar(of: Asked, props: readonly ConfigurableProp[], drafts: Drafts): Values {
  const { values } = filled(props, drafts);
  const isDeployed = of.body.component_id === undefined;
  return Object.fromEntries(Object.entries(values).filter(([, value]) => isDeployed || value !== null));
}
