// The scheduler stage for Nest.
import { Module } from '@nestjs/common';
import { StageSettings } from '../loop/settings.ts';
import { SchedulerStage } from './scheduler.stage.ts';

@Module({
  providers: [
    {
      provide: SchedulerStage,
      inject: [StageSettings],
      useFactory: ({ ambient }: StageSettings) => new SchedulerStage({ ambient }),
    },
  ],
  exports: [SchedulerStage],
})
export class SchedulerModule {
  static readonly stage = SchedulerStage;
}
