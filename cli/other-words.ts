/** Words by which other tools call a command, with its name here. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  undo: 'rollback',
  revert: 'rollback',
  restore: 'rollback',
  activate: 'rollback',
  publish: 'push',
  apply: 'push',
  deploy: 'push',
  download: 'pull',
  fetch: 'pull',
  validate: 'check',
  lint: 'check',
  test: 'check',
  add: 'init',
  create: 'init',
  new: 'init',
  logs: 'tail',
  watch: 'tail',
  follow: 'tail',
  status: 'doctor',
  health: 'doctor',
  mute: 'silence',
  snooze: 'silence',
  'opt-out': 'suppressions',
  unsubscribe: 'suppressions',
  resend: 'replay',
  history: 'versions',
  log: 'versions',
  render: 'preview',
  web: 'console',
  ui: 'console',
  login: 'console',
  open: 'console',
};

/** An error about an unknown command, with the one that was probably meant. */
export function withCommandMeant(error: string): string {
  const [, word = ''] = /^unknown command '([^']+)'/.exec(error) ?? [];
  const meant = Object.hasOwn(OTHER_WORDS, word) ? OTHER_WORDS[word] : undefined;
  return meant === undefined ? error : `unknown command '${word}' (Did you mean ${meant}?)`;
}
