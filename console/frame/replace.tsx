import { useState } from 'preact/hooks';
import { Refused } from '../api/client.ts';
import { signIn, type SessionInfo } from '../api/session.ts';
import { wordsOf } from '../lib/load.ts';
import { t } from '../texts/texts.ts';
import { Button, Trouble } from '../ui/basics.tsx';

interface ReplaceProps {
  /** The one-time code of the link. */
  readonly code: string;
  /** The person who is signed in now. */
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
