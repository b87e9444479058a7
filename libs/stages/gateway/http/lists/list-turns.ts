// Reads pages of the views in turns: a few at once, workspaces in turn.
import { createParamDecorator, Inject, Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { callerOf } from '../api-key.guard.ts';
import type { YieldTurn } from '../limits/fair-turns.ts';
import { ListAnswers } from './list-answers.ts';
import type { List } from './list-bytes.ts';

const yieldsByRequest = new WeakMap<FastifyRequest, YieldTurn>();

/** Injects a function with which a route waits for something without keeping its turn. */
export const TurnYielder = createParamDecorator((_data: unknown, context: ExecutionContext): YieldTurn => {
  const yieldTurn = yieldsByRequest.get(context.switchToHttp().getRequest<FastifyRequest>());
  if (yieldTurn === undefined) throw new Error('a controller without ListTurns asked for its turn');
  return yieldTurn;
});

/** A route that has to wait must use `TurnYielder`: otherwise it would keep its turn meanwhile. */
@Injectable()
export class ListTurns implements NestInterceptor {
  readonly #answers: ListAnswers;

  constructor(@Inject(ListAnswers) answers: ListAnswers) {
    this.#answers = answers;
  }

  intercept(context: ExecutionContext, next: CallHandler<List>): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const readPage = (yieldTurn: YieldTurn): Promise<List> => {
      yieldsByRequest.set(request, yieldTurn);
      return lastValueFrom(next.handle());
    };
    return from(this.#answers.write(request.raw, callerOf(request).workspace, readPage));
  }
}
