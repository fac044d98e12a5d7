import { useState } from 'preact/hooks';
import { Refused } from '../api/client.ts';
import { type SessionInfo, signIn } from '../api/session.ts';
import { wordsOf } from '../lib/load.ts';
import { t } from '../texts/texts.ts';
import { Button, Trouble } from '../ui/basics.tsx';
import { TextField } from '../ui/form.tsx';
import { Logo } from '../ui/icon.tsx';

interface SignInProps {
  readonly note: string | null;
  readonly onSignedIn: (session: SessionInfo) => void;
}

export function SignIn({ note, onSignedIn }: SignInProps) {
  const [token, setToken] = useState('');
  const [name, setName] = useState(ownName);
  const [error, setError] = useState<string | undefined>();
  const [isTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const missing = (value: string, label: string): string | undefined =>
    isTried && value.trim() === '' ? t.accounts.missing(label) : undefined;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    if (token.trim() === '' || name.trim() === '') return;
    setBusy(true);
    // Whoever types a token means it, even if another tab signed in meanwhile.
    rememberName(name.trim());
    signIn({ token: token.trim(), name: name.trim(), replace: true }).then(onSignedIn, (thrown: unknown) => {
      const isWrong = thrown instanceof Refused && thrown.status === 401;
      setError(isWrong ? t.signIn.refused : thrown instanceof Refused ? wordsOf(thrown) : t.common.offline);
      setBusy(false);
    });
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
          error={missing(token, t.signIn.token) ?? error}
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

function ownName(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    // Storage is forbidden.
    return '';
  }
}

function rememberName(name: string): void {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // It is asked again.
  }
}

interface ReplaceProps {
  readonly code: string;
  readonly current: SessionInfo;
  readonly onSignedIn: (session: SessionInfo) => void;
}

/** Asks before a link signs somebody in who is signed in as somebody else: the link may be another person's. */
export function Replace({ code, current, onSignedIn }: ReplaceProps) {
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const now = t.account.roles[current.role];
  const then = roleIn(code);
  const replace = (): void => {
    setBusy(true);
    signIn({ code, replace: true }).then(onSignedIn, (thrown: unknown) => {
      const isOver = thrown instanceof Refused && thrown.status === 401;
      setError(isOver ? t.signIn.badCode : thrown instanceof Refused ? wordsOf(thrown) : t.common.offline);
      setBusy(false);
    });
  };
  return (
    <main class="sign-in">
      <div class="panel">
        <h1>{t.signIn.replace(then)}</h1>
        <p>{t.signIn.replaceText(current.via === 'access' ? `${now} (${current.actor})` : now, then)}</p>
        {current.via === 'session' && <p>{t.signIn.replaceEnds}</p>}
        {error !== null && <Trouble error={error} />}
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
