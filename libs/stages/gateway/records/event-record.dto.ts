// Events of a source as the API shows them (docs/reference/component-api.md, "Events as records").
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import type { Json } from '../../../domain/json.ts';
import { ApiAnyJson, ApiEpochMs, ApiEventId, ApiId, ApiTraceId } from '../openapi/fields.ts';

@ApiSchema({ name: 'EventMetadata', description: 'What the component gave to `$emit`, and where the event comes from' })
export abstract class EventMetadataRecord {
  @ApiId('dc')
  abstract readonly emitter_id: string;

  @ApiEventId()
  abstract readonly emit_id: string;

  @ApiId('run', { nullable: true, description: 'null: it was published' })
  abstract readonly run_id: string | null;

  @ApiTraceId()
  abstract readonly trace_id: string | null;

  @ApiProperty({ type: 'string', description: 'The channel; empty: the default one', example: '' })
  abstract readonly name: string;

  @ApiPropertyOptional({
    oneOf: [{ type: 'string' }, { type: 'number' }],
    description: 'What dedupe strategies compare',
  })
  abstract readonly id?: string | number;

  @ApiPropertyOptional({ type: 'string' })
  abstract readonly summary?: string;

  @ApiEpochMs({ required: false })
  abstract readonly ts?: number;

  @ApiEpochMs({ required: false, description: 'On `$in`: when it becomes an event' })
  abstract readonly delivery_ts?: number;

  @ApiPropertyOptional({ enum: [true], type: 'boolean', description: 'Emitted by `POST /v1/sources/ID/sample`' })
  abstract readonly sample?: true;
}

@ApiSchema({ name: 'EventSummary' })
export abstract class EventRecord {
  @ApiEventId({ description: 'Also its cursor; on `$logs` the id of the run' })
  abstract readonly id: string;

  @ApiEpochMs()
  abstract readonly indexed_at_ms: number;

  @ApiAnyJson({
    description:
      'As it was emitted. Without `expand=event` one of more than 1,024 characters of JSON is the beginning of its text',
    example: { greeting: 'Hello, world!' },
  })
  abstract readonly event: Json;

  @ApiPropertyOptional({ enum: [true], type: 'boolean', description: 'The event is the beginning of its text' })
  abstract readonly truncated?: true;

  @ApiProperty({ type: EventMetadataRecord })
  abstract readonly metadata: EventMetadataRecord;
}
