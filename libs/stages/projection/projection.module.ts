// The Nest module of the projection.
import { Module } from '@nestjs/common';
import { Log } from '../../log/log.ts';
import { Ownership } from '../../log/ownership.ts';
import { ViewStore } from '../../view-store/view-store.ts';
import { StageSettings } from '../loop/settings.ts';
import { Projection } from './projection.ts';
import { RebuildController } from './rebuild.controller.ts';

@Module({
  controllers: [RebuildController],
  providers: [
    {
      provide: Projection,
      inject: [Log, ViewStore, Ownership, StageSettings],
      useFactory: (log: Log, views: ViewStore, ownership: Ownership, { logger, alerts }: StageSettings) =>
        new Projection({
          log,
          views,
          ownership,
          alerts: alerts.forStage('projection'),
          logger: logger.child({ stage: 'projection' }),
          onRetry: ({ code, message }, waitMs) =>
            logger.warn({ stage: 'projection', code, waitMs, reason: message }, 'trying again'),
          onViewsReset: (message) => logger.info({ stage: 'projection' }, message),
        }),
    },
  ],
  exports: [Projection],
})
export class ProjectionModule {
  static readonly stage = Projection;
  static readonly ports = ['views'] as const;
  static readonly operatorRoute = '/rebuild';
}
