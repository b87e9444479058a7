// Answers requests that the framework rejects before routing: a malformed URL, or a path parameter longer than any id.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { answerHeaders } from '../http/answer-headers.ts';
import { internalProblem, problemOf } from '../http/problem-of.ts';
import { sendProblem } from '../http/send-problem.ts';

export function answerFrameworkError(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  sendProblem(reply, problemOf(error) ?? internalProblem(), answerHeaders);
}
