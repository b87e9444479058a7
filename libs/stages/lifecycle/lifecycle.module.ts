// The lifecycle stage for Nest.
import { Module } from '@nestjs/common';
import { StageSettings } from '../loop/settings.ts';
import { LifecycleStage } from './lifecycle.stage.ts';

@Module({
  providers: [
    {
      provide: LifecycleStage,
      inject: [StageSettings],
      useFactory: ({ masterKey, ambient, logger, retention }: StageSettings) =>
        new LifecycleStage({
          masterKey,
          ambient,
          retention,
          onSkipped: ({ type, id, topic, partition, offset }, err) =>
            logger.error(
              { stage: 'lifecycle', type, id, topic, partition, offset, err },
              'skipped what nobody can read',
            ),
        }),
    },
  ],
  exports: [LifecycleStage],
})
export class LifecycleModule {
  static readonly stage = LifecycleStage;
}
