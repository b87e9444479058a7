// The options that the runtime stage gets from the engine.
import type { Ambient } from '../../domain/ambient.ts';
import type { Metrics } from '../../primitives/metrics/metrics.ts';
import type { Packages } from '../../packages/packages.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

export interface RuntimeOptions {
  readonly sandbox: Sandbox;
  readonly packages: Packages;
  /** The master key, 32 bytes. */
  readonly masterKey: Buffer;
  readonly ambient: Ambient;
  /** Returns the URL of the source with this endpoint key. */
  readonly endpointUrl: (endpointKey: string) => string;
  readonly metrics?: Metrics;
}
