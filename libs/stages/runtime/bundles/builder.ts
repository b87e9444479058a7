// What a component is described and loaded from: what the log holds of it, or what is built of its text.
import type { BundlePlace } from '../../../domain/component/bundle/messages.ts';
import type { Program } from '../../../domain/component/program/program.ts';
import type { BuildOutcome, Bundle, Packages } from '../../../packages/packages.ts';
import type { Bundles } from './bundles.ts';
import { Packer } from './packed.ts';
import type { PackedBundle } from './packed.ts';

/** For all partitions of the process: the same code is deployed in several. */
const packer = new Packer();

export interface BuilderOptions {
  readonly packages: Packages;
  readonly bundles: Bundles;
}

/** What is described, and what the outcome must name or bring; neither: it is built from its text alone. */
export type Material =
  | { readonly kind: 'built'; readonly bundle: Bundle; readonly stands?: BundlePlace; readonly packed?: PackedBundle }
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

export class Builder {
  readonly #options: BuilderOptions;

  constructor(options: BuilderOptions) {
    this.#options = options;
  }

  /** Throws PortError and NewerRecordError. */
  async toLoad(program: Program, workspace: string, place: BundlePlace | undefined): Promise<BuildOutcome> {
    const { packages, bundles } = this.#options;
    if (place === undefined) return buildLocked(packages, program, workspace);
    const bundle = await bundles.load(place);
    return bundle === undefined ? unreadable : { kind: 'built', bundle, lock: null, packages: [] };
  }

  /** `place`: the bundle that the code was built into before; it stays on the log as long as the code. */
  async toDescribe(program: Program, workspace: string, place: BundlePlace | undefined): Promise<Material> {
    const outcome = await this.toLoad(program, workspace, place);
    if (outcome.kind !== 'built') return outcome;
    const { bundle, lock } = outcome;
    if (place !== undefined) return { kind: 'built', bundle, stands: place };
    if (lock === null) return { kind: 'built', bundle };
    const packed = await packer.pack(bundle);
    if (typeof packed === 'string') return { kind: 'refused', error: { name: 'BundleTooLargeError', message: packed } };
    this.#options.bundles.built(packed.hash, bundle);
    return { kind: 'built', bundle, packed };
  }
}
