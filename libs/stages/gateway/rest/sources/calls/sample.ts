// Asks a source for a sample: an event that the component's author wrote as an example.
import type { Manifest } from '../../../../../domain/component/manifest.ts';
import type { RunView, SourceView } from '../../../../../domain/views/index.ts';
import type { Caller } from '../../../control/api-keys.ts';
import { ApiProblem } from '../../../http/api-problem.ts';
import type { CallClient } from './call-client.ts';

/** The run that emitted the sample. Throws ApiProblem or PortError. */
export async function emitSample(calls: CallClient, caller: Caller, source: SourceView): Promise<RunView> {
  const manifest = source.manifest as Manifest | null;
  if (manifest?.sampleEmit === false)
    throw new ApiProblem(409, 'no_sample', 'The component of this source has no sampleEmit: add one and update it.');
  return calls.call(caller, source, 'sample');
}
