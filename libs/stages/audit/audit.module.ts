// The Nest module of the audit stage.
import { Module } from '@nestjs/common';
import { StageSettings } from '../loop/settings.ts';
import { AuditStage } from './audit.stage.ts';

@Module({
  providers: [
    {
      provide: AuditStage,
      inject: [StageSettings],
      useFactory: ({ masterKey, ambient, checkpointMs, metrics }: StageSettings) =>
        new AuditStage({ masterKey, ambient, checkpointMs, metrics }),
    },
  ],
  exports: [AuditStage],
})
export class AuditModule {
  static readonly stage = AuditStage;
}
