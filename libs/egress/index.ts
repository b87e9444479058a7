// Egress: the only way out, behind the address guard.
export { EgressGuard } from './guard.ts';
export { OriginPools } from './pools.ts';
export { Requester } from './requests/requester.ts';
export type { Answer, AnswerHead } from './requests/answer.ts';
export type { Part } from './requests/body.ts';
export type { Hop } from './requests/exchange.ts';
export { RequestFailure } from './requests/failure.ts';
export { headerUnitsMax, isField, isMethod } from './requests/outgoing.ts';
export type { Field, Outgoing } from './requests/outgoing.ts';
