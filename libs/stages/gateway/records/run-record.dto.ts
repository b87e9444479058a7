// Runs of a source as the API shows them (docs/reference/component-api.md, "Events as records").
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { ConsoleRecord } from '../openapi/console.dto.ts';
import { ApiEpochMs, ApiId, ApiTraceId } from '../openapi/fields.ts';

@ApiSchema({ name: 'ComponentError' })
export abstract class ComponentErrorRecord {
  @ApiProperty({ type: 'string', example: 'TypeError' })
  abstract readonly name: string;

  @ApiProperty({ type: 'string' })
  abstract readonly message: string;

  @ApiPropertyOptional({ type: 'string' })
  abstract readonly stack?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, description: 'In the deployed text' })
  abstract readonly line?: number;

  @ApiPropertyOptional({ type: 'integer', minimum: 1 })
  abstract readonly column?: number;
}

@ApiSchema({
  name: 'RequestOfRun',
  description: 'An HTTP request that the run made; a redirect that was followed is another one',
})
export abstract class RunRequestRecord {
  @ApiProperty({ type: 'string', example: 'GET' })
  abstract readonly method: string;

  @ApiProperty({ type: 'string', description: 'Without path and query', example: 'api.example.com' })
  abstract readonly host: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'null: nothing was answered', example: 200 })
  abstract readonly status: number | null;

  @ApiProperty({ type: 'number', minimum: 0, description: 'To a tenth of a millisecond', example: 81.4 })
  abstract readonly duration_ms: number;
}

@ApiSchema({ name: 'Run' })
export abstract class RunRecord {
  @ApiId('run')
  abstract readonly id: string;

  @ApiId('dc')
  abstract readonly source_id: string;

  @ApiProperty({
    enum: [
      'describe',
      'event_names',
      'deploy',
      'activate',
      'deactivate',
      'http',
      'apphook',
      'manual',
      'timer',
      'event',
      'emit',
      'sample',
      'configure',
      'props',
    ],
    example: 'http',
  })
  abstract readonly kind: string;

  @ApiProperty({
    enum: ['succeeded', 'failed', 'refused'],
    description: 'failed: it threw or reached a limit, and what it emitted before is kept. refused: it never began',
  })
  abstract readonly outcome: string;

  @ApiEpochMs()
  abstract readonly started_at_ms: number;

  @ApiProperty({ type: 'number', minimum: 0, description: 'To a tenth of a millisecond', example: 3.1 })
  abstract readonly duration_ms: number;

  @ApiProperty({ type: [ConsoleRecord] })
  abstract readonly console: readonly ConsoleRecord[];

  @ApiProperty({ type: ComponentErrorRecord, nullable: true })
  abstract readonly error: ComponentErrorRecord | null;

  @ApiProperty({ type: 'array', items: { type: 'string' }, description: 'Ids of the events, in order' })
  abstract readonly emitted: readonly string[];

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Emits that the dedupe strategy dropped' })
  abstract readonly deduped: number;

  @ApiProperty({
    type: [RunRequestRecord],
    description: 'The first 100 HTTP requests, in the order in which they ended',
  })
  abstract readonly requests: readonly RunRequestRecord[];

  @ApiProperty({ type: 'integer', minimum: 0, description: 'How many HTTP requests it made' })
  abstract readonly request_count: number;

  @ApiTraceId()
  abstract readonly trace_id: string | null;
}

@ApiSchema({ name: 'AcceptedRun', description: 'A run that was asked for: it can be got once it has ended' })
export abstract class AcceptedRunRecord {
  @ApiId('run')
  abstract readonly id: string;
}
