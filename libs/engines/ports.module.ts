// Provides an engine's ports under their own tokens, for every module of the process.
import type { DynamicModule, ValueProvider } from '@nestjs/common';
import { Log } from '../log/log.ts';
import { Ownership } from '../log/ownership.ts';
import { Packages } from '../packages/packages.ts';
import { Sandbox } from '../sandbox/sandbox.ts';
import { Transformer } from '../sandbox/transformer.ts';
import { StageSettings } from '../stages/loop/settings.ts';
import { ViewStore } from '../view-store/view-store.ts';
import { Webhook } from '../webhooks/webhook.ts';
import type { Ports } from './engine.ts';

export class PortsModule {
  static register(ports: Ports, settings: StageSettings): DynamicModule {
    const providers: ValueProvider[] = [
      { provide: Log, useValue: ports.log },
      { provide: Ownership, useValue: ports.ownership },
      { provide: ViewStore, useValue: ports.views },
      { provide: Sandbox, useValue: ports.sandbox },
      { provide: Packages, useValue: ports.packages },
      { provide: Webhook, useValue: ports.webhook },
      { provide: Transformer, useValue: ports.transformer },
      { provide: StageSettings, useValue: settings },
    ].filter(({ useValue }) => useValue !== undefined);
    return { module: PortsModule, global: true, providers, exports: providers.map(({ provide }) => provide) };
  }
}
