// A line that a component wrote to its console.
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ApiEpochMs } from './fields.ts';

@ApiSchema({ name: 'ConsoleLine' })
export abstract class ConsoleRecord {
  @ApiProperty({ enum: ['debug', 'log', 'info', 'warn', 'error'] })
  abstract readonly level: string;

  @ApiProperty({ type: 'string' })
  abstract readonly text: string;

  @ApiEpochMs()
  abstract readonly at_ms: number;
}
