// Answers what the framework refuses before any route is known: a malformed URL, or a path parameter longer than any id.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { answerHeaders } from './answer-headers.ts';
import { internalProblem, problemOf } from '../problem-of.ts';
import { sendProblem } from '../send-problem.ts';

export function answerFrameworkError(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  sendProblem(reply, problemOf(error) ?? internalProblem(), answerHeaders);
}
