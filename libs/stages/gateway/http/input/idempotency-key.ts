// Reads the header Idempotency-Key of POST requests.
import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { problemsOf } from './field-problem.ts';

/** 1 to 255 visible ASCII characters. */
const pattern = /^[\x21-\x7e]{1,255}$/;

/** Null if there is none. Throws ApiProblem 400. */
export function readIdempotencyKey(header: string | readonly string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header === 'string' && pattern.test(header)) return header;
  throw problemsOf([
    { field: 'Idempotency-Key', message: 'Idempotency-Key must be 1 to 255 visible ASCII characters' },
  ]);
}

export const IdempotencyKey = createParamDecorator((_data: unknown, context: ExecutionContext): string | null =>
  readIdempotencyKey(context.switchToHttp().getRequest<FastifyRequest>().headers['idempotency-key']),
);
