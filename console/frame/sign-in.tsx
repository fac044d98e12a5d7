import { useState } from 'preact/hooks';
import { Refused } from '../api/client.ts';
import { signIn, type SessionInfo } from '../api/session.ts';
import { wordsOf } from '../lib/load.ts';
import { t } from '../texts/texts.ts';
import { Button } from '../ui/basics.tsx';
import { TextField } from '../ui/form.tsx';
import { Logo } from '../ui/logo.tsx';

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
        <p class="brand">
          <Logo />
          {t.common.product}
        </p>
        <h1>{t.signIn.title}</h1>
        {note !== null && (
          <p class="note" role="status">
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
          {t.signIn.submit}
        </Button>
        <p class="soft">
          {t.signIn.link} <code>npx hookbell console</code>
        </p>
      </form>
    </main>
  );
}

const KEY = 'hookbell:name';

/** The name that somebody gave in this browser before. */
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
