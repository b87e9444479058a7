// View `workspaces`: each workspace with the user who owns it.
import type { WorkspaceEvent } from '../workspace/messages.ts';
import type { View } from './view.ts';

export type WorkspaceView = {
  readonly workspace: string;
  readonly name: string;
  readonly userId: string;
  readonly username: string;
  readonly email: string;
  /** Epoch ms. */
  readonly createdAt: number;
};

type WorkspaceCreated = Extract<WorkspaceEvent, { type: 'WorkspaceCreated' }>;

export const workspacesView: View<WorkspaceCreated, WorkspaceView> = {
  definition: { name: 'workspaces', indexes: { byUser: ['userId', 'createdAt'] } },
  topics: ['workspaces'],

  idOf: (record) => (record.type === 'WorkspaceCreated' ? record.workspace : undefined),

  needsCurrent: () => false,

  evolve: (_current, record) => ({
    workspace: record.workspace,
    name: record.data.name,
    userId: record.data.userId,
    username: record.data.username,
    email: record.data.email,
    createdAt: record.at,
  }),
};
