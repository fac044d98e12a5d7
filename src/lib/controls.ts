/**
 * Control characters but tabs and line feeds, and those that change the direction of the text after them: nobody types
 * them, and they could change how the text around them is shown. Joiners are none of them: scripts and emoji need them.
 */
const CONTROLS =
  // oxlint-disable-next-line no-control-regex -- these are what is removed
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f]/g;

/** Returns a text without control characters, each line ending in a line feed. */
export const withoutControls = (text: string): string =>
  text.replaceAll(/\r\n?/g, '\n').replaceAll(CONTROLS, '');

/** Returns a text with the three signs of HTML as entities: Telegram and Slack expect exactly these. */
export const withEntities = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** True if the language of a locale is German. Built-in texts exist in English and German. */
export const isGerman = (locale: string): boolean => /^de\b/i.test(locale);
