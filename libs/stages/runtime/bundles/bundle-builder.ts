// Provides the bundle from which a component is described or loaded: from the log, or built from its code.
import type { BundleLocation } from '../../../domain/component/bundle/messages.ts';
import type { Program } from '../../../domain/component/program/program.ts';
import type { BuildOutcome, Bundle, Packages } from '../../../packages/packages.ts';
import type { BundleStore } from './bundle-store.ts';
import { BundlePacker } from './bundle-packer.ts';
import type { PackedBundle } from './bundle-packer.ts';

/** Shared by all partitions of the process, since the same code is deployed in several. */
const packer = new BundlePacker();

export interface BundleBuilderOptions {
  readonly packages: Packages;
  readonly bundles: BundleStore;
}

/** The bundle to describe, with its place on the log or its packed form to append; neither: it has no packages. */
export type BundleToDescribe =
  | {
      readonly kind: 'built';
      readonly bundle: Bundle;
      readonly storedAt?: BundleLocation;
      readonly packed?: PackedBundle;
    }
  | Exclude<BuildOutcome, { readonly kind: 'built' }>;

const unreadable: BuildOutcome & { readonly kind: 'refused' } = {
  kind: 'refused',
  error: {
    name: 'ComponentUnreadableError',
    message: 'What the log holds of the component with its packages cannot be read. Deploy its code again.',
  },
};

/** Installs the versions of packages that its lock names, if it has one. */
export function buildLocked(
  packages: Packages,
  { lock, ...program }: Program,
  workspace: string,
): Promise<BuildOutcome> {
  return packages.build(program, { workspace, ...(lock === undefined ? {} : { lock }) });
}

export class BundleBuilder {
  readonly #options: BundleBuilderOptions;

  constructor(options: BundleBuilderOptions) {
    this.#options = options;
  }

  /** Throws PortError and NewerRecordError. */
  async bundleToLoad(program: Program, workspace: string, place: BundleLocation | undefined): Promise<BuildOutcome> {
    const { packages, bundles } = this.#options;
    if (place === undefined) return buildLocked(packages, program, workspace);
    const bundle = await bundles.load(place);
    return bundle === undefined ? unreadable : { kind: 'built', bundle, lock: null, packages: [] };
  }

  /** `place`: where an earlier build of this code is on the log, where it stays as long as the code is used. */
  async bundleToDescribe(
    program: Program,
    workspace: string,
    place: BundleLocation | undefined,
  ): Promise<BundleToDescribe> {
    const outcome = await this.bundleToLoad(program, workspace, place);
    if (outcome.kind !== 'built') return outcome;
    const { bundle, lock } = outcome;
    if (place !== undefined) return { kind: 'built', bundle, storedAt: place };
    if (lock === null) return { kind: 'built', bundle };
    const packed = await packer.pack(bundle);
    if (typeof packed === 'string') return { kind: 'refused', error: { name: 'BundleTooLargeError', message: packed } };
    this.#options.bundles.cacheBuilt(packed.hash, bundle);
    return { kind: 'built', bundle, packed };
  }
}
