// Reads the result of describing a component: a manifest within its size limit, or the error.
import type { ComponentError } from '../../../../domain/component/output.ts';
import { ManifestError } from '../../../../domain/component/props/read-props.ts';
import type { DescribedMessage } from '../../runner-protocol.ts';
import { componentError } from './component-error.ts';
import { readObject } from './json.ts';
import { readManifest } from './read-manifest.ts';
import type { Positions } from './positions.ts';

const manifestError = (message: string): { readonly error: ComponentError } => ({
  error: { name: 'ManifestError', message },
});

/** `answer` is the guest's JSON: `{ manifest }` or `{ error }`, at most `unitsMax` long. */
export function readDescribed(answer: string, positions: Positions, unitsMax: number): DescribedMessage['result'] {
  if (answer.length > unitsMax) {
    return manifestError(`What the component says of itself is larger than ${unitsMax} characters of JSON`);
  }
  const { manifest, error } = readObject(answer);
  if (typeof manifest !== 'object' || manifest === null) {
    return { error: componentError(JSON.stringify(error ?? {}), positions) };
  }
  try {
    return { manifest: readManifest(manifest as Record<string, unknown>) };
  } catch (problem) {
    if (!(problem instanceof ManifestError)) throw problem;
    return manifestError(problem.message);
  }
}
