/** A part of a remedy: words, or a command that a person would paste. */
export type RemedyPart =
  { readonly words: string } | { readonly command: string; readonly action: RemedyAction };

/** The effect of a command, for a page that has a button for it. */
export type RemedyAction =
  | { readonly does: 'resume'; readonly account: string }
  /** A page of the console, and its filters. */
  | { readonly does: 'show'; readonly path: string; readonly query: Query }
  /** Only a person at a command line can do it. */
  | { readonly does: 'paste' };

const COMMAND =
  /npx (?:hookbell|wrangler)(?: (?:--?[\w-]+|<[\w ]+>|"[^"]*"|…|[A-Za-z0-9_./:-]*[A-Za-z0-9_/-]))+/g;

/** Words that follow a command in a sentence, and are not part of it. */
const SENTENCE =
  /^(?:(?:npx )?(?:hookbell|wrangler))?(.*?)(?: (?:shows|again|and|then|or|as|with|in|if|when|until|it)\b.*)$/s;

/** A remedy in its parts. The command line prints it as it is; the console has buttons in place of commands. */
export function partsOf(remedy: string): readonly RemedyPart[] {
  const parts: RemedyPart[] = [];
  let end = 0;
  for (const { 0: found, index } of remedy.matchAll(COMMAND)) {
    const command = withoutSentence(found);
    if (index > end) parts.push({ words: remedy.slice(end, index) });
    parts.push({ command, action: actionOf(command) });
    end = index + command.length;
  }
  if (end < remedy.length) parts.push({ words: remedy.slice(end) });
  return parts;
}

function withoutSentence(found: string): string {
  const [, rest] = SENTENCE.exec(found) ?? [];
  return rest === undefined ? found : found.slice(0, found.indexOf(rest) + rest.length);
}

type Query = Readonly<Record<string, string>>;
const show = (path: string, query: Query = {}): RemedyAction => ({ does: 'show', path, query });

/** The commands that a page has a button for, with the word in each. */
const ACTIONS: readonly (readonly [RegExp, (word: string) => RemedyAction])[] = [
  [/^npx hookbell resume ([\w-]+)$/, (account) => ({ does: 'resume', account })],
  [
    /^npx hookbell (?:messages|retry)(?: --state (\w+))?$/,
    (state) => show('/messages', state === '' ? {} : { state }),
  ],
  [/^npx hookbell accounts\b/, () => show('/accounts')],
  [/^npx hookbell rollback(?: \d+)?$/, () => show('/versions')],
  [/^npx hookbell rejections/, () => show('/rejections', { code: 'spam' })],
];

function actionOf(command: string): RemedyAction {
  const [pattern, make] = ACTIONS.find(([one]) => one.test(command)) ?? [];
  return make?.(pattern?.exec(command)?.[1] ?? '') ?? { does: 'paste' };
}

/** Returns a remedy without the command at its end, for a page that has a button in its place. */
export const withoutCommand = (remedy: string): string => remedy.replace(/: npx hookbell [a-z ]+$/, '.');

/** Returns the remedy for form `n`, which was taken for spam, with that number in its command. */
export const releaseRemedy = (remedy: string | undefined, n: number | undefined): string | undefined =>
  remedy?.replace(/\brejections release$/, (command) => `${command} ${n ?? ''}`);
