// Words for the change that a record of history stands for, and for who made it.

/** By the record's type. Types that only prepare a change are absent and not shown. */
const changeTexts: Readonly<Record<string, string>> = {
  SourceDeployed: 'deployed the source',
  SourceDeployRefused: 'could not deploy the source',
  SourceUpdated: 'updated the source',
  SourceUpdateRefused: 'could not update the source',
  SourceDeleted: 'deleted the source',
  SourceDeleteRefused: 'could not delete the source',
  ComponentSaved: 'saved the component',
  ComponentSaveRefused: 'could not save the component',
  ComponentPublished: 'published the component',
  ComponentUnpublished: 'unpublished the component',
  ComponentUnpublishRefused: 'could not unpublish the component',
  ComponentDeleted: 'deleted the component',
  ComponentDeleteRefused: 'could not delete the component',
  WebhookCreated: 'created the webhook',
  WebhookCreateRefused: 'could not create the webhook',
  WebhookUpdated: 'changed the webhook',
  WebhookUpdateRefused: 'could not change the webhook',
  WebhookKeyRegenerated: 'made a new signing key of the webhook',
  WebhookKeyRegenerateRefused: 'could not make a new signing key of the webhook',
  WebhookDisabled: 'found the receiver gone and disabled the webhook',
  WebhookDeleted: 'deleted the webhook',
  WebhookDeleteRefused: 'could not delete the webhook',
  SubscriptionCreated: 'created the subscription',
  SubscriptionCreateRefused: 'could not create the subscription',
  SubscriptionUpdated: 'changed the subscription',
  SubscriptionUpdateRefused: 'could not change the subscription',
  SubscriptionDeleted: 'deleted the subscription',
  SubscriptionDeleteRefused: 'could not delete the subscription',
  AccountCreated: 'connected the account',
  AccountCreateRefused: 'could not connect the account',
  AccountUpdated: 'changed the account',
  AccountUpdateRefused: 'could not change the account',
  AccountDeleted: 'deleted the account',
  AccountDeleteRefused: 'could not delete the account',
  WorkspaceCreated: 'created the workspace',
  ApiKeyCreated: 'created an API key in',
  ApiKeyDeleted: 'revoked an API key in',
};

/** Undefined: the type is not shown as a change. */
export const changeTextOf = (type: string): string | undefined => changeTexts[type];

/** `keyNames`: the names of all existing keys by id; undefined: unknown. Stages are shown as parts of the service. */
export function actorNameOf(actor: string | undefined, keyNames: ReadonlyMap<string, string> | undefined): string {
  if (actor === undefined) return 'Somebody';
  if (!actor.startsWith('key_')) return `The service (${actor})`;
  if (keyNames === undefined) return `A key (${actor})`;
  return keyNames.get(actor) ?? `A revoked key (${actor})`;
}
