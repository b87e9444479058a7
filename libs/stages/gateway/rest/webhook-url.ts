// Checks the URL of a webhook (docs/reference/component-api.md, "Webhooks as records").
import { ValidateBy } from 'class-validator';

export const urlCharsMax = 2_048;

/** `http://` or `https://` and a host; no user, password, space or control character. */
export function isWebhookUrl(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > urlCharsMax) return false;
  if (!/^https?:\/\/[^/?#\\]/i.test(value) || /[\s\p{Cc}]/u.test(value)) return false;
  const url = URL.parse(value);
  if (url === null || url.hostname === '') return false;
  return url.username === '' && url.password === '' && !(url.host !== '' && authority(value).includes('@'));
}

/** The text between the slashes and the path: the parsed URL does not show an empty user (`http://@host`). */
const authority = (url: string): string => /^https?:\/\/([^/?#\\]*)/i.exec(url)?.[1] ?? '';

export const IsWebhookUrl = (): PropertyDecorator =>
  ValidateBy({
    name: 'isWebhookUrl',
    validator: {
      validate: isWebhookUrl,
      defaultMessage: () =>
        `url must be an http or https URL with a host, without user and password, of at most ${urlCharsMax} characters`,
    },
  });
