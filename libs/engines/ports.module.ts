// An engine's ports under their own tokens, for every module of the process.
import type { DynamicModule } from '@nestjs/common';
import { Log } from '../log/log.ts';
import { Sandbox } from '../sandbox/sandbox.ts';
import { StageSettings } from '../stages/loop/settings.ts';
import { ViewStore } from '../view-store/view-store.ts';
import { Webhook } from '../webhooks/webhook.ts';
import type { Ports } from './engine.ts';

export class PortsModule {
  static register(ports: Ports, settings: StageSettings): DynamicModule {
    return {
      module: PortsModule,
      global: true,
      providers: [
        { provide: Log, useValue: ports.log },
        { provide: ViewStore, useValue: ports.views },
        { provide: Sandbox, useValue: ports.sandbox },
        { provide: Webhook, useValue: ports.webhook },
        { provide: StageSettings, useValue: settings },
      ],
      exports: [Log, ViewStore, Sandbox, Webhook, StageSettings],
    };
  }
}
