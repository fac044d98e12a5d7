/** The nouns that the routes are grouped by, in the order in which they are shown. */
export const TAGS = {
  sources: 'Systems that post webhooks to `/hooks/{id}`, and what is sent for what they post.',
  templates: 'Messages with placeholders, for more than one route.',
  recipients: 'Named lists of numbers.',
  silences: 'What nobody is notified of for a while, by document or by hand.',
  accounts: 'Gateway logins: the pace and the status of each.',
  config:
    'The whole configuration at once, and its versions. Each write of a document publishes one, too: a numbered version that never changes again. It is in force at once where it was published, and everywhere within 60 seconds.',
  events: 'Verified webhooks with any result, and rejected ones.',
  incidents: 'Problems that open and resolve: who is notified of what, and when.',
  messages: 'What was sent, is being sent, or could not be.',
  providers: 'What hookbell ships about kinds of sources: verification, samples, starter routes.',
  sessions: 'Browsers that are signed in.',
  operations: 'The state of the relay itself.',
  description: 'This description of the API.',
} as const;

export type Tag = keyof typeof TAGS;
