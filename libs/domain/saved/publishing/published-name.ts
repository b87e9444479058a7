// What a published component is found by: its key, within its workspace.

/** What is published of a workspace has one name for each key. */
export const publishedName = (workspace: string, key: string): string => `${workspace}/${key}`;
