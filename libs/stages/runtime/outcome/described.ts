// What a component says of itself, as the outcome of describing it.
import type { RunEnd } from '../../../domain/run/run-output.ts';
import type { BundlePlace } from '../../../domain/component/bundle/messages.ts';
import type { Manifest } from '../../../domain/component/manifest.ts';
import type { ComponentError } from '../../../domain/component/output.ts';
import { sizes } from '../../../domain/sizes.ts';
import type { DescribeOutcome } from '../../../sandbox/sandbox.ts';
import type { PackedBundle } from '../bundles/packed.ts';
import { ended, measured, notRun } from './finished.ts';
import type { Begun, Finished } from './finished.ts';

/** The envelope of a part of a bundle, or of its use. */
const partOverheadBytes = 1_024;

/** `during`: what failed after it was loaded. */
export function described(
  begun: Begun,
  outcome: DescribeOutcome,
  durationMs: number,
  during?: 'additionalProps',
): Finished {
  const { console } = outcome;
  const { sourceId, revision } = begun.trigger.data;
  const result = outcome.kind === 'described' ? withinSize(outcome.manifest) : outcome;
  const error = result.kind === 'invalid' ? result.error : undefined;
  const end: RunEnd = { ...ended(error), startedAt: begun.startedAt, durationMs, console, emits: [] };
  const parts = { ...notRun, end };
  if (result.kind === 'invalid') {
    if (during === undefined) return measured(begun, parts, 0);
    const hook = { sourceId, revision, kind: 'describe', during, error: result.error, console } as const;
    return measured(begun, { ...parts, hook: { type: 'HookFailed', data: hook } }, 0);
  }
  const data = { sourceId, revision, manifest: result.manifest, console };
  return measured(begun, { ...parts, hook: { type: 'SourceDescribed', data } }, result.bytes);
}

/** A described component with what its outcome must name: a bundle that is on the log, or is to be there. */
export function builtInto(
  finished: Finished,
  { stands, packed }: { readonly stands?: BundlePlace; readonly packed?: PackedBundle },
): Finished {
  const { hook } = finished;
  if (hook?.type !== 'SourceDescribed') return finished;
  if (stands !== undefined) return { ...finished, hook: { ...hook, data: { ...hook.data, bundle: stands } } };
  if (packed === undefined) return finished;
  const bytes = packed.texts.reduce((sum, text) => sum + text.length + partOverheadBytes, partOverheadBytes);
  return { ...finished, packed, bytes: finished.bytes + bytes, heldBytes: finished.heldBytes + bytes };
}

/** A described component with the data stores that its props may name. */
export function withDataStores(
  finished: Finished,
  hook: Extract<Finished['hook'], { readonly type: 'SourceDescribed' }>,
  dataStores: readonly string[],
): Finished {
  const bytes = Buffer.byteLength(JSON.stringify(dataStores));
  const sized = { bytes: finished.bytes + bytes, heldBytes: finished.heldBytes + bytes };
  return { ...finished, ...sized, hook: { ...hook, data: { ...hook.data, dataStores } } };
}

type Sized =
  | { readonly kind: 'described'; readonly manifest: Manifest; readonly bytes: number }
  | { readonly kind: 'invalid'; readonly error: ComponentError };

function withinSize(manifest: Manifest): Sized {
  const bytes = Buffer.byteLength(JSON.stringify(manifest));
  if (bytes <= sizes.manifestBytes) return { kind: 'described', manifest, bytes };
  const message = `What the component says of itself has ${bytes} bytes as JSON; at most ${sizes.manifestBytes} are taken`;
  return { kind: 'invalid', error: { name: 'ManifestTooLargeError', message } };
}
