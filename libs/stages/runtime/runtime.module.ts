// The runtime stage for Nest.
import { Module } from '@nestjs/common';
import { Sandbox } from '../../sandbox/sandbox.ts';
import { endpointUrl, StageSettings } from '../loop/settings.ts';
import { RuntimeStage } from './runtime.stage.ts';

@Module({
  providers: [
    {
      provide: RuntimeStage,
      inject: [Sandbox, StageSettings],
      useFactory: (sandbox: Sandbox, settings: StageSettings) =>
        new RuntimeStage({
          sandbox,
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
  static readonly ports = ['sandbox'] as const;
}
