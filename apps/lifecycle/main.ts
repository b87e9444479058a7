// Lifecycle: decides commands; one instance is active, the others stand by.
import 'reflect-metadata';
import { distributed } from '../../libs/engines/distributed/distributed.engine.ts';
import { run } from '../../libs/engines/index.ts';
import { LifecycleModule } from '../../libs/stages/lifecycle/lifecycle.module.ts';

await run(distributed, [LifecycleModule]);
