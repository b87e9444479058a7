// Which component a form asks, and what it is told: the values so far.
import type { ConfigurableProp } from '../../api/records.ts';
import { filled } from './prop-values.ts';
import type { Drafts } from './prop-values.ts';

/** Of which component: a saved one, or that of a source, whose own values count too. */
export interface Asked {
  readonly path: string;
  readonly body: { readonly component_id?: string };
}

export const ofComponent = (id: string): Asked => ({ path: '/v1/components', body: { component_id: id } });
export const ofSource = (id: string): Asked => ({ path: `/v1/sources/${id}`, body: {} });

export type Values = Readonly<Record<string, unknown>>;

/** Without values that are wrong, since somebody is still typing, and without empty ones where no deployed value is cleared. */
export function valuesSoFar(of: Asked, props: readonly ConfigurableProp[], drafts: Drafts): Values {
  const { values } = filled(props, drafts);
  const isDeployed = of.body.component_id === undefined;
  return Object.fromEntries(Object.entries(values).filter(([, value]) => isDeployed || value !== null));
}
