// For routes that give pages of the views: they are read workspace by workspace in turn, a few at once.
import { Inject, Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { callerOf } from '../api-key.guard.ts';
import { ListAnswers } from './list-answers.ts';
import type { List } from './list-bytes.ts';

/** Not for what waits for another stage: it would keep its turn meanwhile. */
@Injectable()
export class ListTurns implements NestInterceptor {
  readonly #answers: ListAnswers;

  constructor(@Inject(ListAnswers) answers: ListAnswers) {
    this.#answers = answers;
  }

  intercept(context: ExecutionContext, next: CallHandler<List>): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const page = (): Promise<List> => lastValueFrom(next.handle());
    return from(this.#answers.write(request.raw, callerOf(request).workspace, page));
  }
}
