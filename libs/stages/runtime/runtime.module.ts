// The runtime stage for Nest.
import { Module } from '@nestjs/common';
import { Packages } from '../../packages/packages.ts';
import { Sandbox } from '../../sandbox/sandbox.ts';
import { endpointUrl } from '../../domain/source/endpoint/endpoint-url.ts';
import { StageSettings } from '../loop/settings.ts';
import { RuntimeStage } from './runtime.stage.ts';

@Module({
  providers: [
    {
      provide: RuntimeStage,
      inject: [Sandbox, Packages, StageSettings],
      useFactory: (sandbox: Sandbox, packages: Packages, settings: StageSettings) =>
        new RuntimeStage({
          sandbox,
          packages,
          masterKey: settings.masterKey,
          ambient: settings.ambient,
          metrics: settings.metrics,
          endpointUrl: (endpointKey) => endpointUrl(settings, endpointKey),
        }),
    },
  ],
  exports: [RuntimeStage],
})
export class RuntimeModule {
  static readonly stage = RuntimeStage;
  static readonly ports = ['sandbox', 'packages'] as const;
}
