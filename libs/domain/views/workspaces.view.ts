// View `workspaces`: each workspace with the user who owns it.
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

export const workspacesView: View<'workspaces', WorkspaceView> = {
  definition: { name: 'workspaces', indexes: { byUser: ['userId', 'createdAt'] } },
  topics: ['workspaces'],

  idOf: (record) => (record.type === 'WorkspaceCreated' ? record.workspace : undefined),

  needsCurrent: () => false,

  evolve(current, record) {
    if (record.type !== 'WorkspaceCreated') return current;
    return {
      workspace: record.workspace,
      name: record.data.name,
      userId: record.data.userId,
      username: record.data.username,
      email: record.data.email,
      createdAt: record.at,
    };
  },
};
