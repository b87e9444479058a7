// Text that others wrote, made safe for a terminal: what would steer it is shown instead of obeyed.
import { paintCodes } from './style.ts';

/** C0 but for tab and line feed, DEL, C1, and the marks that reverse the direction of what follows. */
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** The line feeds between its parts are not in its texts. */
const steeringInJson = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** May have several lines. */
export const plainText = (text: string): string => text.replaceAll('\r\n', '\n').replace(steering, escaped);

const paint = `\\u001b\\[(?:${paintCodes.join('|')})m`;
const paintOrSteering = new RegExp(`${paint}|${steering.source}`, 'g');

/** What is about to be written in colours: they stay, and nothing else that steers. */
export const plainPainted = (text: string): string =>
  text.replaceAll('\r\n', '\n').replace(paintOrSteering, (found) => (found.length > 1 ? found : escaped(found)));

/** One line. */
export const plainLine = (text: string): string => plainText(text).replaceAll(/\s+/g, ' ').trim();

/** JSON in which nothing steers: it reads back the same. `JSON.stringify` escapes C0 alone. */
export const plainJson = (value: unknown, indent = 0): string =>
  (JSON.stringify(value, null, indent) ?? 'null').replace(steeringInJson, escaped);
