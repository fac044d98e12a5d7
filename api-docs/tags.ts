/** The nouns that the routes are grouped by, in the order in which they are shown. */
export const TAGS = {
  sources: 'Systems that post webhooks to `/hooks/{id}`, and the routes that turn them into messages.',
  templates: 'Messages with placeholders that several routes share.',
  recipients: 'Named lists of receivers.',
  silences: 'Periods without certain notifications, from documents or added by hand.',
  accounts: 'Gateway logins: the pace and the status of each.',
  config:
    'The whole configuration at once, and its versions. Each write of a document publishes a version, too. A version has a number and never changes. It is active at once where it was published, and everywhere within 60 seconds.',
  events: 'Verified webhooks with any result, and rejected ones.',
  incidents: 'Problems that open and resolve, and their notifications.',
  messages: 'Messages that were sent, are being sent, or failed.',
  suppressions: 'Receivers who have opted out.',
  providers: 'Built-in kinds of sources: verification, samples, starter routes.',
  sessions: 'Signed-in browsers.',
  operations: 'The state of the relay itself.',
  description: 'This description of the API.',
} as const;

export type Tag = keyof typeof TAGS;
