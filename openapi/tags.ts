/** The nouns that the routes are grouped by, in the order in which they are shown. */
export const TAGS = {
  sources: 'Systems that post webhooks to `/hooks/{id}`, and what is sent for what they post.',
  templates: 'Messages with placeholders, for more than one route.',
  recipients: 'Named lists of numbers.',
  accounts: 'Gateway logins: how hard each may be used, and how it stands.',
  config:
    'The whole configuration at once, and its versions. Each write of a document publishes one, too: a numbered version that never changes again. It is in force at once where it was published, and everywhere within 60 seconds.',
  events: 'Verified webhooks, whatever became of them, and those that were turned away.',
  messages: 'What was sent, is being sent, or could not be.',
  providers: 'What hookbell ships about kinds of sources: verification, samples, routes to start from.',
  operations: 'How the relay itself stands.',
  description: 'This description of the API.',
} as const;

export type Tag = keyof typeof TAGS;
