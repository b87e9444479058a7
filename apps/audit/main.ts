// Audit: signs what the log holds; one instance works, others stand by.
import 'reflect-metadata';
import { distributed } from '../../libs/engines/distributed/distributed.engine.ts';
import { run } from '../../libs/engines/index.ts';
import { AuditModule } from '../../libs/stages/audit/audit.module.ts';

await run(distributed, [AuditModule]);
