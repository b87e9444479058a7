// Makes foreign text safe for a terminal: control characters are shown as escapes, so that they have no effect.
import { paintCodes } from './style.ts';

/** C0 except tab and line feed, DEL, C1, and the marks that reverse the direction of text. */
const controlChars = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Without C0, which JSON escapes itself: its line feeds are only between its parts. */
const controlCharsInJson = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

const escapeChar = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The text can have several lines. */
export const plainText = (text: string): string => text.replaceAll('\r\n', '\n').replace(controlChars, escapeChar);

const colorCode = `\\u001b\\[(?:${paintCodes.join('|')})m`;
const colorOrControl = new RegExp(`${colorCode}|${controlChars.source}`, 'g');

/** Keeps our own colours, and no other control sequence. */
export const plainPainted = (text: string): string =>
  text.replaceAll('\r\n', '\n').replace(colorOrControl, (match) => (match.length > 1 ? match : escapeChar(match)));

/** As one line. */
export const plainLine = (text: string): string => plainText(text).replaceAll(/\s+/g, ' ').trim();

/** JSON without control characters, which parses to the same value. `JSON.stringify` escapes only C0. */
export const plainJson = (value: unknown, indent = 0): string =>
  (JSON.stringify(value, null, indent) ?? 'null').replace(controlCharsInJson, escapeChar);
