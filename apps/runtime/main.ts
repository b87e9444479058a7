// The runtime: runs components; any number of instances share the partitions.
import 'reflect-metadata';
import { distributed } from '../../libs/engines/distributed/distributed.engine.ts';
import { run } from '../../libs/engines/index.ts';
import { RuntimeModule } from '../../libs/stages/runtime/runtime.module.ts';

await run(distributed, [RuntimeModule]);
