// What the runtime stage is given by the engine.
import type { Ambient } from '../../domain/ambient.ts';
import type { Metrics } from '../../primitives/metrics/metrics.ts';
import type { Packages } from '../../packages/packages.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

export interface RuntimeOptions {
  readonly sandbox: Sandbox;
  readonly packages: Packages;
  /** 32 bytes. */
  readonly masterKey: Buffer;
  readonly ambient: Ambient;
  /** The URL that reaches the source with this endpoint key. */
  readonly endpointUrl: (endpointKey: string) => string;
  readonly metrics?: Metrics;
}
