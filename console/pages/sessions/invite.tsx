import { useState } from 'preact/hooks';
import { invite, type Invitation } from '../../api/session.ts';
import { wordsOf } from '../../lib/load.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Button, Copy, Time, Trouble } from '../../ui/basics.tsx';
import { Dialog, focusFoot } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/form.tsx';

type InvitedRole = 'viewer' | 'operator';

/** Makes a one-time link for another person, and copies it. */
export function Invite({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<InvitedRole>('operator');
  const [made, setMade] = useState<Invitation | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [isCopied, setCopied] = useState(false);
  const make = async (): Promise<void> => {
    const invitation = await invite(name.trim(), role);
    setMade(invitation);
    // If the browser forbids it, the person still has the button.
    await navigator.clipboard.writeText(invitation.url).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    if (name.trim() === '') return;
    setBusy(true);
    setError(null);
    make()
      .catch((thrown: unknown) => setError(wordsOf(thrown)))
      .finally(() => setBusy(false));
  };
  return (
    <Dialog title={t.sessions.invite} onClose={onClose}>
      {made === null ? (
        <form onSubmit={submit}>
          <div class="dialog-body">
            <TextField
              label={t.sessions.invited}
              value={name}
              onInput={setName}
              autoFocus
              error={isTried && name.trim() === '' ? t.accounts.missing(t.sessions.invited) : undefined}
            />
            <SelectField
              label={t.sessions.role}
              value={role}
              options={[
                ['operator', t.account.roles.operator],
                ['viewer', t.account.roles.viewer],
              ]}
              help={t.sessions.does[role]}
              onChange={(value) => setRole(value === 'viewer' ? 'viewer' : 'operator')}
            />
          </div>
          {error !== null && <Trouble error={error} />}
          <footer class="dialog-foot">
            <Button onClick={onClose}>{t.common.cancel}</Button>
            <Button type="submit" look="main" isBusy={isBusy}>
              {t.sessions.makeLink}
            </Button>
          </footer>
        </form>
      ) : (
        <>
          <div class="dialog-body">
            {/* A toast would be behind the dialog, where nobody can close it, and nobody hears it. */}
            <p role="status">
              {t.sessions.linkFor(name.trim())} {isCopied && <Badge tone="good">{t.common.copied}</Badge>}
            </p>
            <Copy text={made.url}>
              <code class="invite-link">{made.url}</code>
            </Copy>
            <p class="soft">
              {t.sessions.linkUntil} <Time at={made.expires_at} />. {t.sessions.sessionUntil}{' '}
              <Time at={made.session_until} />.
            </p>
          </div>
          <footer class="dialog-foot" ref={focusFoot}>
            <Button look="main" onClick={onClose}>
              {t.common.close}
            </Button>
          </footer>
        </>
      )}
    </Dialog>
  );
}
