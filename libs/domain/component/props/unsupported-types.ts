// Prop types of the hosted service that cannot work here, each with what to do instead.

const picker = 'its values come from a picker of the hosted service; use a string with the id instead';

const alternatives: ReadonlyMap<string, string> = new Map([
  [
    'sql',
    'a sandbox has no connections to databases; ask the database over HTTP, by fetch or a prop of type http_request',
  ],
  [
    'dir',
    'there is no file store; keep data in a prop of type data_store or $.service.db, or in files in /tmp for as long as a run takes',
  ],
  ['$.discord.channel', picker],
  ['$.discord.channel[]', picker],
  ['$.airtable.baseId', picker],
  ['$.airtable.tableId', picker],
  ['$.airtable.viewId', picker],
  ['$.airtable.fieldId', picker],
]);

/** Undefined: the type is unknown. */
export const alternativeTo = (type: string): string | undefined => alternatives.get(type);
