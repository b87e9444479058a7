// Scheduler: lets the timers of sources tick; any number of instances share the partitions.
import 'reflect-metadata';
import { distributed } from '../../libs/engines/distributed/distributed.engine.ts';
import { run } from '../../libs/engines/index.ts';
import { SchedulerModule } from '../../libs/stages/scheduler/scheduler.module.ts';

await run(distributed, [SchedulerModule]);
