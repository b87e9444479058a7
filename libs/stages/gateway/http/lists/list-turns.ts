// Reads pages of the views in turns: a few at once, workspaces in turn.
import { createParamDecorator, Inject, Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { callerOf } from '../api-key.guard.ts';
import type { Away } from '../limits/fair-turns.ts';
import { ListAnswers } from './list-answers.ts';
import type { List } from './list-bytes.ts';

const turns = new WeakMap<FastifyRequest, Away>();

/** Injects a function with which a route waits for something without keeping its turn. */
export const TurnAway = createParamDecorator((_data: unknown, context: ExecutionContext): Away => {
  const away = turns.get(context.switchToHttp().getRequest<FastifyRequest>());
  if (away === undefined) throw new Error('a controller without ListTurns asked for its turn');
  return away;
});

/** A route that has to wait must use `TurnAway`: otherwise it would keep its turn meanwhile. */
@Injectable()
export class ListTurns implements NestInterceptor {
  readonly #answers: ListAnswers;

  constructor(@Inject(ListAnswers) answers: ListAnswers) {
    this.#answers = answers;
  }

  intercept(context: ExecutionContext, next: CallHandler<List>): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const page = (away: Away): Promise<List> => {
      turns.set(request, away);
      return lastValueFrom(next.handle());
    };
    return from(this.#answers.write(request.raw, callerOf(request).workspace, page));
  }
}
