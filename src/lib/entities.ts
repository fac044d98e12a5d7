/** Returns a text with the three signs of HTML as entities: Telegram and Slack expect exactly these. */
export const withEntities = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
