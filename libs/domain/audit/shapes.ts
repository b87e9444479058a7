// The shapes of records about checkpoints; records that do not match are not used.
import type { Signature } from '../../verifier/checkpoint.ts';
import { signedTopics } from '../flow.ts';
import { ident, list, natural, object, oneOf, text } from '../shape/checks.ts';
import type { ShapesOf } from '../shape/shapes.ts';
import type { AuditCommand, CheckpointEvent, CheckpointWindow, SubtreeRoot, TreeEvent, TreeMoved } from './messages.ts';

const topic = oneOf(...signedTopics);
const signatures = list(object<Signature>({ keyId: text, signature: text }));
const window = object<CheckpointWindow>({
  first: natural,
  offset: natural,
  end: natural,
  edge: list(text),
  before: text,
});
const subtrees = list(object<SubtreeRoot>({ level: natural, index: natural, root: text }));
const trimmed = object<TreeMoved['trimmed']>({ count: natural, offset: natural });

export const auditCommands: ShapesOf<AuditCommand> = { ChangeAuditKey: { formerKeyId: ident } };

export const checkpointEvents: ShapesOf<CheckpointEvent> = {
  CheckpointSigned: { topic, partition: natural, line: text, signatures, window, subtrees, prints: text },
};

export const treeEvents: ShapesOf<TreeEvent> = {
  TreeMoved: {
    topic,
    partition: natural,
    line: text,
    signatures,
    count: natural,
    offset: natural,
    edge: list(text),
    trimmed,
  },
  AuditKeyMade: { keyId: text, publicKey: text, sealed: text },
};
