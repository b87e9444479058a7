// Makes the end of describing a component: its manifest, or the error.
import type { RunEnd } from '../../../domain/run/run-output.ts';
import type { BundlePlace } from '../../../domain/component/bundle/messages.ts';
import type { Manifest } from '../../../domain/component/manifest.ts';
import type { ComponentError } from '../../../domain/component/output.ts';
import { sizes } from '../../../domain/sizes.ts';
import type { DescribeOutcome } from '../../../sandbox/sandbox.ts';
import type { PackedBundle } from '../bundles/packed.ts';
import { ended, measured, notRun } from './finished.ts';
import type { Begun, Finished } from './finished.ts';

/** The size of the envelope of a bundle's part, or of its use. */
const partOverheadBytes = 1_024;

/** `during`: the step that failed after the component was loaded. */
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

/** Adds the component's bundle to the outcome: one that is on the log, or one to append. */
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

/** Adds the data stores that the component's props can name. */
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
