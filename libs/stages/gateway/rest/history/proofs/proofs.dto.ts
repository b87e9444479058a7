// The parameters and answers of the routes of signed history.
import { millisMax } from '../../../../../domain/message.ts';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { signedTopics, type SignedTopic } from '../../../../../domain/flow.ts';
import type { Checkpoint } from '../../../../../verifier/checkpoint.ts';
import type { SignedLine } from '../../../../../verifier/index.ts';
import { AnyRequestDto } from '../../../http/input/any-request.dto.ts';
import type { QueryForms } from '../../../http/input/query-text.ts';
import { ApiEpochMs } from '../../../openapi/fields.ts';
import { checkpointId } from './checkpoint-id.ts';

const idCharsMax = 200;
const checkpointsMax = 1_000;
const checkpointIdPattern = /^[a-z]{1,32}-\d{1,9}-\d{1,15}-\d{1,15}$/;

export class CheckpointsDto extends AnyRequestDto {
  static override readonly queryForms: QueryForms = {
    ...AnyRequestDto.queryForms,
    partition: 'integer',
    from: 'integer',
    limit: 'integer',
  };

  @ApiPropertyOptional({ enum: signedTopics, description: 'Only those of this topic' })
  @IsOptional()
  @IsIn(signedTopics)
  readonly topic?: SignedTopic | null;

  @ApiPropertyOptional({ type: 'integer', minimum: 0, description: 'Only those of this partition' })
  @IsOptional()
  @IsInt()
  @Min(0)
  readonly partition?: number | null;

  @ApiPropertyOptional({ type: 'integer', format: 'int64', minimum: 0, description: 'Signed then or later, epoch ms' })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(millisMax)
  readonly from?: number | null;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: checkpointsMax, default: 100 })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(checkpointsMax)
  readonly limit?: number | null;

  @ApiPropertyOptional({ type: String, description: '`end_cursor` of the page before' })
  @IsOptional()
  @IsString()
  @MaxLength(idCharsMax)
  readonly after?: string | null;
}

export class ProofDto extends AnyRequestDto {
  static override readonly queryForms: QueryForms = { ...AnyRequestDto.queryForms, time: 'integer' };

  @ApiProperty({ type: String, description: 'The record' })
  @IsString()
  @MaxLength(idCharsMax)
  readonly id!: string;

  @ApiPropertyOptional({
    enum: signedTopics,
    description: 'The topic that holds it; without it every topic is searched',
  })
  @IsOptional()
  @IsIn(signedTopics)
  readonly topic?: SignedTopic | null;

  @ApiPropertyOptional({
    type: 'integer',
    format: 'int64',
    minimum: 0,
    description:
      'Its time, epoch ms; without it, unless the id says it (`req_...`), only the newest 1,000 records of each partition are searched',
  })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(millisMax)
  readonly time?: number | null;
}

export class ConsistencyDto extends AnyRequestDto {
  @ApiProperty({ type: String, description: 'The id of the earlier checkpoint' })
  @Matches(checkpointIdPattern)
  readonly from!: string;

  @ApiProperty({ type: String, description: 'The id of the later checkpoint of the same partition' })
  @Matches(checkpointIdPattern)
  readonly to!: string;
}

@ApiSchema({ name: 'CheckpointSignature' })
abstract class SignatureRecord {
  @ApiProperty({ type: String })
  abstract readonly key_id: string;

  @ApiProperty({ type: String, description: 'Ed25519 over the UTF-8 bytes of `line`, in base64' })
  abstract readonly signature: string;
}

@ApiSchema({ name: 'Checkpoint' })
export abstract class CheckpointRecord {
  @ApiProperty({ type: String, example: 'channels-0-1200-1777000000123' })
  abstract readonly id: string;

  @ApiProperty({ enum: signedTopics })
  abstract readonly topic: string;

  @ApiProperty({ type: 'integer', minimum: 0 })
  abstract readonly partition: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'How many records the partition has held so far' })
  abstract readonly count: number;

  @ApiProperty({ type: String, description: 'Root of the Merkle tree over all of them, in hex' })
  abstract readonly root: string;

  @ApiEpochMs({ description: 'The latest time of any of them' })
  abstract readonly newest: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Number of records at the beginning that retention may have removed',
  })
  abstract readonly trimmed: number;

  @ApiEpochMs({ description: 'When it was signed' })
  abstract readonly time: number;

  @ApiProperty({ type: String, description: 'The text that was signed' })
  abstract readonly line: string;

  @ApiProperty({ type: [SignatureRecord], description: 'After a change of keys: one by each key' })
  abstract readonly signatures: readonly SignatureRecord[];
}

export const presentCheckpoint = (checkpoint: Checkpoint, { line, signatures }: SignedLine): CheckpointRecord => {
  const { topic, partition, count, root, newest, trimmed, time } = checkpoint;
  const signed = signatures.map(({ keyId, signature }) => ({ key_id: keyId, signature }));
  return {
    id: checkpointId(checkpoint),
    topic,
    partition,
    count,
    root,
    newest,
    trimmed,
    time,
    line,
    signatures: signed,
  };
};

@ApiSchema({ name: 'CheckpointPage' })
export abstract class CheckpointPage {
  @ApiProperty({ type: [CheckpointRecord] })
  abstract readonly data: readonly CheckpointRecord[];

  @ApiProperty({ type: String, nullable: true, description: 'For `after`; null: there is no more for now' })
  abstract readonly end_cursor: string | null;
}

const Path = (): PropertyDecorator => ApiProperty({ type: [String], description: 'Hashes as of RFC 6962, in hex' });

@ApiSchema({ name: 'RecordProof' })
export abstract class RecordProofRecord {
  @ApiProperty({ type: String, description: 'The record' })
  abstract readonly id: string;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Its number in its partition, from 0' })
  abstract readonly index: number;

  @ApiProperty({ type: String, description: 'The record as it was signed: a CloudEvent as one line of JSON' })
  abstract readonly line: string;

  @Path()
  abstract readonly path: readonly string[];

  @ApiProperty({ type: CheckpointRecord })
  abstract readonly checkpoint: CheckpointRecord;
}

@ApiSchema({ name: 'ConsistencyProof' })
export abstract class ConsistencyProofRecord {
  @ApiProperty({ type: CheckpointRecord })
  abstract readonly from: CheckpointRecord;

  @ApiProperty({ type: CheckpointRecord })
  abstract readonly to: CheckpointRecord;

  @Path()
  abstract readonly path: readonly string[];
}
