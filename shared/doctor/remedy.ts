/** A part of a remedy: words, or a command that a person would paste. */
export type RemedyPart =
  { readonly words: string } | { readonly command: string; readonly action: RemedyAction };

/** The effect of a command, for a page that has a button for it. */
export type RemedyAction =
  | { readonly does: 'resume'; readonly account: string }
  /** A page of the console, and its filters. */
  | { readonly does: 'show'; readonly path: string; readonly query: Readonly<Record<string, string>> }
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

const RESUME = /^npx hookbell resume ([\w-]+)$/;
const MESSAGES = /^npx hookbell (?:messages|retry)(?: --state (\w+))?$/;
const ACCOUNTS = /^npx hookbell accounts\b/;
const VERSIONS = /^npx hookbell rollback(?: \d+)?$/;
const REJECTIONS = /^npx hookbell rejections/;

function actionOf(command: string): RemedyAction {
  const [, account] = RESUME.exec(command) ?? [];
  if (account !== undefined) return { does: 'resume', account };
  const messages = MESSAGES.exec(command);
  if (messages !== null)
    return {
      does: 'show',
      path: '/messages',
      query: messages[1] === undefined ? {} : { state: messages[1] },
    };
  if (ACCOUNTS.test(command)) return { does: 'show', path: '/accounts', query: {} };
  if (VERSIONS.test(command)) return { does: 'show', path: '/versions', query: {} };
  if (REJECTIONS.test(command)) return { does: 'show', path: '/rejections', query: { code: 'spam' } };
  return { does: 'paste' };
}

/** Returns a remedy without the command at its end, for a page that has a button in its place. */
export const withoutCommand = (remedy: string): string => remedy.replace(/: npx hookbell [a-z ]+$/, '.');

/** Returns the remedy for form `n`, which was taken for spam, with that number in its command. */
export const releaseRemedy = (remedy: string | undefined, n: number | undefined): string | undefined =>
  remedy?.replace(/\brejections release$/, (command) => `${command} ${n ?? ''}`);
