// Details of an attempt, as the API shows them.
import { ApiProperty } from '@nestjs/swagger';
import type { AnswerHeaders, SentHeaders } from '../../../../domain/delivery/attempt/attempt-details.ts';

const ApiMs = (description: string): PropertyDecorator =>
  ApiProperty({ type: 'number', nullable: true, minimum: 0, description, example: 1.5 });

export abstract class AttemptDetailsRecord {
  @ApiProperty({
    type: 'string',
    nullable: true,
    description:
      '`address:port` that was dialled; null: not known, through a proxy, or a private one that the URL does not name itself',
    example: '192.0.2.1:443',
  })
  abstract readonly address: string | null;

  @ApiMs('Resolving the name; null: the connection was open before, or there is no name')
  abstract readonly dns_ms: number | null;

  @ApiMs('Connecting; null: the connection was open before')
  abstract readonly connect_ms: number | null;

  @ApiMs('The TLS handshake; null: the connection was open before, or has no TLS')
  abstract readonly tls_ms: number | null;

  @ApiMs('From when the request has a connection to the head of the answer; null: there was none')
  abstract readonly first_byte_ms: number | null;

  @ApiProperty({
    type: 'number',
    minimum: 0,
    description: 'Everything: `duration_ms` and what came before',
    example: 12,
  })
  abstract readonly total_ms: number;

  @ApiProperty({
    type: 'object',
    nullable: true,
    additionalProperties: { type: 'string' },
    description: 'Of a failed attempt; values of the webhook’s own `headers` are `[secret]`',
    example: null,
  })
  abstract readonly request_headers: SentHeaders | null;

  @ApiProperty({
    type: 'object',
    nullable: true,
    // Generated clients in Java do not compile with a choice of types here.
    additionalProperties: true,
    description: 'Of a failed attempt that was answered: the first 16 KiB; each is a text, or a list of texts',
    example: null,
  })
  abstract readonly answer_headers: AnswerHeaders | null;
}
