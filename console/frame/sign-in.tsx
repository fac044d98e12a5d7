import { useState } from 'preact/hooks';
import { get, post, Refused } from '../api/client.ts';
import type { SessionInfo } from '../api/types.ts';
import { useWork, wordsOf } from '../lib/load.ts';
import { readStored, store } from '../lib/stored.ts';
import { t } from '../texts/texts.ts';
import { Button } from '../ui/basics.tsx';
import { Failed, TextField } from '../ui/form.tsx';
import { Logo } from '../ui/icon.tsx';

export const session = (): Promise<SessionInfo> => get('/session');

/** `replace`: also where the browser is signed in as somebody else; else that is refused with 409. */
export const signIn = (
  by: ({ token: string; name: string } | { code: string }) & { replace?: true },
): Promise<SessionInfo> => post('/session', by);

const refusedAs = (words: string) => (thrown: unknown) => {
  throw thrown instanceof Refused && thrown.status === 401 ? new Error(words) : thrown;
};

type SignInProps = { readonly note: string | null; readonly onSignedIn: (session: SessionInfo) => void };

export function SignIn({ note, onSignedIn }: SignInProps) {
  const [token, setToken] = useState('');
  const [name, setName] = useState(() => readStored<string>(localStorage, KEY) ?? '');
  const [isTried, setTried] = useState(false);
  const { isBusy, thrown, run } = useWork();
  const missing = (value: string, label: string): string | undefined =>
    isTried && value.trim() === '' ? t.accounts.missing(label) : undefined;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    if (token.trim() === '' || name.trim() === '') return;
    store(localStorage, KEY, name.trim());
    // Whoever types a token means it, even if another tab signed in meanwhile.
    const by = { token: token.trim(), name: name.trim(), replace: true } as const;
    run(() => signIn(by).catch(refusedAs(t.signIn.refused)).then(onSignedIn));
  };
  return (
    <main class="sign-in">
      <form class="panel" onSubmit={submit}>
        <p class="line brand">
          <Logo />
          {t.common.product}
        </p>
        <h1>{t.signIn.title}</h1>
        {note !== null && (
          <p class="note warn" role="status">
            {note}
          </p>
        )}
        <p class="soft">{t.signIn.lead}</p>
        <TextField
          label={t.signIn.token}
          type="password"
          autoComplete="current-password"
          autoFocus
          value={token}
          onInput={setToken}
          error={missing(token, t.signIn.token) ?? (thrown === null ? undefined : wordsOf(thrown))}
        />
        <TextField
          label={t.signIn.name}
          help={t.signIn.nameHelp}
          autoComplete="name"
          value={name}
          onInput={setName}
          error={missing(name, t.signIn.name)}
        />
        <Button type="submit" look="main" isBusy={isBusy}>
          {t.signIn.title}
        </Button>
        <p class="soft">
          {t.signIn.link} <code>npx hookbell console</code>
        </p>
      </form>
    </main>
  );
}

const KEY = 'hookbell:name';

interface ReplaceProps {
  readonly code: string;
  readonly current: SessionInfo;
  readonly onSignedIn: (session: SessionInfo) => void;
}

/** Asks before a link signs somebody in who is signed in as somebody else: the link may be another person's. */
export function Replace({ code, current, onSignedIn }: ReplaceProps) {
  const { isBusy, thrown, run } = useWork();
  const now = t.account.roles[current.role];
  const then = roleIn(code);
  const by = { code, replace: true } as const;
  const replace = (): void => run(() => signIn(by).catch(refusedAs(t.signIn.badCode)).then(onSignedIn));
  return (
    <main class="sign-in">
      <div class="panel">
        <h1>{t.signIn.replace(then)}</h1>
        <p>{t.signIn.replaceText(current.via === 'access' ? `${now} (${current.actor})` : now, then)}</p>
        {current.via === 'session' && <p>{t.signIn.replaceEnds}</p>}
        <Failed thrown={thrown} />
        <Button look="main" isBusy={isBusy} onClick={replace}>
          {t.signIn.replaceDo(then)}
        </Button>
        <Button onClick={() => onSignedIn(current)}>{t.signIn.replaceNot(now)}</Button>
      </div>
    </main>
  );
}

/** A code begins with the role that it gives. */
function roleIn(code: string): string {
  const [role = ''] = code.split('.');
  return new Map<string, string>(Object.entries(t.account.roles)).get(role) ?? role;
}
