// Protects a route that is for the operator alone and needs no body: the key is checked before any body is read.
import { Injectable, UnauthorizedException } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isOperator } from './operator-key.ts';

/** Fastify accepts no smaller limit. */
const bodyBytesMax = 1;

const admittedRequests = new WeakSet<FastifyRequest>();

/** Call before the route is registered. The route then answers 401 without the first API key of this data directory. */
export function restrictToOperator(fastify: FastifyInstance, url: string, dataDir: string): void {
  fastify.addHook('onRoute', (route) => {
    if (route.url !== url) return;
    route.bodyLimit = bodyBytesMax;
    route.onRequest = async (request) => {
      if (!(await isOperator(dataDir, request.headers.authorization))) throw notOperatorError();
      admittedRequests.add(request);
    };
  });
}

/** Admits only requests that the hook of `restrictToOperator` has admitted: without that hook a route admits none. */
@Injectable()
export class OperatorGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (!admittedRequests.has(context.switchToHttp().getRequest<FastifyRequest>())) throw notOperatorError();
    return true;
  }
}

const notOperatorError = (): UnauthorizedException =>
  new UnauthorizedException('Send the key in the file api-key of the data directory as a bearer token.');
