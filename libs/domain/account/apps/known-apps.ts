// Well-known apps with the fields of their accounts; for other apps and fields, the workspace's components name them.

/** `oauth`: the token comes from a sign-in outside this service, and is given when the account is connected. */
export type AuthType = 'oauth' | 'keys';

export interface KnownApp {
  readonly name: string;
  /** Null: it needs no account. */
  readonly auth: AuthType | null;
  /** The names of its fields in `$auth`. */
  readonly fields: readonly string[];
}

const oauth = (name: string, ...more: readonly string[]): KnownApp => ({
  name,
  auth: 'oauth',
  fields: ['oauth_access_token', ...more],
});
const keys = (name: string, ...fields: readonly string[]): KnownApp => ({ name, auth: 'keys', fields });
const withoutAuth = (name: string): KnownApp => ({ name, auth: null, fields: [] });

/** By slug. */
export const knownApps: ReadonlyMap<string, KnownApp> = new Map(
  Object.entries({
    airtable_oauth: oauth('Airtable'),
    algolia: keys('Algolia', 'application_id', 'api_key'),
    anthropic: keys('Anthropic', 'api_key'),
    apify: keys('Apify', 'api_token'),
    asana: oauth('Asana'),
    aws: keys('AWS', 'accessKeyId', 'secretAccessKey'),
    brex: keys('Brex', 'access_token'),
    calendly_v2: oauth('Calendly'),
    clickup: oauth('ClickUp'),
    clio: oauth('Clio', 'region'),
    discord_bot: keys('Discord bot', 'bot_token'),
    docusign: oauth('Docusign'),
    dropbox: oauth('Dropbox'),
    figma: oauth('Figma'),
    github: oauth('GitHub'),
    gitlab: oauth('GitLab', 'base_api_url'),
    gmail: oauth('Gmail'),
    google_calendar: oauth('Google Calendar'),
    google_drive: oauth('Google Drive'),
    google_sheets: oauth('Google Sheets'),
    helper_functions: withoutAuth('Helper functions'),
    http: withoutAuth('HTTP'),
    hubspot: oauth('HubSpot'),
    intercom: oauth('Intercom'),
    jira: oauth('Jira'),
    launchdarkly: keys('LaunchDarkly', 'access_token'),
    linear: keys('Linear', 'api_key'),
    linear_app: oauth('Linear'),
    mailchimp: oauth('Mailchimp'),
    mailgun: keys('Mailgun', 'api_key', 'region'),
    microsoft_outlook: oauth('Microsoft Outlook'),
    microsoft_teams: oauth('Microsoft Teams'),
    monday: keys('monday.com', 'api_key'),
    mysql: keys('MySQL', 'host', 'port', 'username', 'password', 'database'),
    notion: oauth('Notion'),
    openai: keys('OpenAI', 'api_key'),
    pagerduty: oauth('PagerDuty'),
    pipedrive: oauth('Pipedrive'),
    postgresql: keys('PostgreSQL', 'host', 'port', 'user', 'password', 'database'),
    quickbooks: oauth('QuickBooks', 'company_id'),
    ramp: oauth('Ramp'),
    rss: withoutAuth('RSS'),
    salesforce_rest_api: oauth('Salesforce', 'instance_url'),
    schedule: withoutAuth('Schedule'),
    sendgrid: keys('SendGrid', 'api_key'),
    shopify: oauth('Shopify', 'shop_id'),
    slack: oauth('Slack', 'oauth_uid'),
    stripe: keys('Stripe', 'api_key'),
    telegram_bot_api: keys('Telegram bot', 'token'),
    todoist: oauth('Todoist'),
    trello: oauth('Trello', 'oauth_signer_uri'),
    twilio: keys('Twilio', 'Sid', 'Secret', 'AccountSid'),
    typeform: oauth('Typeform'),
    webflow: oauth('Webflow'),
    woocommerce: keys('WooCommerce', 'url', 'key', 'secret'),
    youtube_data_api: oauth('YouTube'),
    zendesk: oauth('Zendesk', 'subdomain'),
    zoom: oauth('Zoom'),
  }),
);
