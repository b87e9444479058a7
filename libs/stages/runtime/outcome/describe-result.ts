// Makes the end of describing a component: its manifest, or the error.
import type { RunEnd } from '../../../domain/run/run-output.ts';
import type { BundleLocation } from '../../../domain/component/bundle/messages.ts';
import type { Manifest } from '../../../domain/component/manifest.ts';
import type { ComponentError } from '../../../domain/component/output.ts';
import { sizes } from '../../../domain/sizes.ts';
import type { DescribeOutcome } from '../../../sandbox/sandbox.ts';
import type { PackedBundle } from '../bundles/bundle-packer.ts';
import { outcomeOf, resultOf, notRunParts } from './trigger-result.ts';
import type { Attempt, TriggerResult } from './trigger-result.ts';

/** The size of the envelope of a bundle's part, or of its use. */
const partOverheadBytes = 1_024;

/** `during`: the step that failed after the component was loaded. */
export function describeResult(
  attempt: Attempt,
  outcome: DescribeOutcome,
  durationMs: number,
  during?: 'additionalProps',
): TriggerResult {
  const { console } = outcome;
  const { sourceId, revision } = attempt.trigger.data;
  const sized = outcome.kind === 'described' ? limitManifestSize(outcome.manifest) : outcome;
  const error = sized.kind === 'invalid' ? sized.error : undefined;
  const end: RunEnd = { ...outcomeOf(error), startedAt: attempt.startedAt, durationMs, console, emits: [] };
  const parts = { ...notRunParts, end };
  if (sized.kind === 'invalid') {
    if (during === undefined) return resultOf(attempt, parts, 0);
    const hook = { sourceId, revision, kind: 'describe', during, error: sized.error, console } as const;
    return resultOf(attempt, { ...parts, hook: { type: 'HookFailed', data: hook } }, 0);
  }
  const data = { sourceId, revision, manifest: sized.manifest, console };
  return resultOf(attempt, { ...parts, hook: { type: 'SourceDescribed', data } }, sized.bytes);
}

/** Adds the component's bundle to the outcome: one that is on the log, or one to append. */
export function withBundle(
  result: TriggerResult,
  { storedAt, packed }: { readonly storedAt?: BundleLocation; readonly packed?: PackedBundle },
): TriggerResult {
  const { hook } = result;
  if (hook?.type !== 'SourceDescribed') return result;
  if (storedAt !== undefined) return { ...result, hook: { ...hook, data: { ...hook.data, bundle: storedAt } } };
  if (packed === undefined) return result;
  const bytes = packed.texts.reduce((sum, text) => sum + text.length + partOverheadBytes, partOverheadBytes);
  return { ...result, packed, bytes: result.bytes + bytes, heldBytes: result.heldBytes + bytes };
}

/** Adds the data stores that the component's props can name. */
export function withDataStores(
  result: TriggerResult,
  hook: Extract<TriggerResult['hook'], { readonly type: 'SourceDescribed' }>,
  dataStores: readonly string[],
): TriggerResult {
  const bytes = Buffer.byteLength(JSON.stringify(dataStores));
  const sized = { bytes: result.bytes + bytes, heldBytes: result.heldBytes + bytes };
  return { ...result, ...sized, hook: { ...hook, data: { ...hook.data, dataStores } } };
}

type SizedManifest =
  | { readonly kind: 'described'; readonly manifest: Manifest; readonly bytes: number }
  | { readonly kind: 'invalid'; readonly error: ComponentError };

function limitManifestSize(manifest: Manifest): SizedManifest {
  const bytes = Buffer.byteLength(JSON.stringify(manifest));
  if (bytes <= sizes.manifestBytes) return { kind: 'described', manifest, bytes };
  const message = `What the component says of itself has ${bytes} bytes as JSON; at most ${sizes.manifestBytes} are taken`;
  return { kind: 'invalid', error: { name: 'ManifestTooLargeError', message } };
}
