// Exports the parts of the log port that other libs use.
export {
  everyGateway,
  Log,
  positionKey,
  Writer,
  type Mark,
  type Outgoing,
  type OutgoingOn,
  type Page,
  type PageBounds,
  type Position,
  type Positions,
  type Reply,
} from './log.ts';
