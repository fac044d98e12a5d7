import { useState } from 'preact/hooks';
import { ask, post } from '../../api/client.ts';
import type { Invitation, ListedSession, ListPage } from '../../api/types.ts';
import { useGet } from '../../lib/load.ts';
import { byWhom, whoOf } from '../../texts/relay-texts.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Copy, Facts, PageHead, Panel, Pending, Time } from '../../ui/basics.tsx';
import { AskButton, Confirm, Opener, type WindowProps } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/form.tsx';
import { For, useSession } from '../../ui/session.tsx';

export function Sessions() {
  const own = useSession();
  const [turn, setTurn] = useState(0);
  return (
    <>
      <PageHead title={t.nav.sessions}>
        <Opener role="editor" look="main" icon="plus" label={t.sessions.invite}>
          {(onClose) => <Invite onDone={() => setTurn(turn + 1)} onClose={onClose} />}
        </Opener>
      </PageHead>
      <Panel title={t.sessions.own}>
        <Facts
          facts={[
            [t.sessions.role, t.account.roles[own.role]],
            [t.common.name, whoOf(own.actor)],
            [t.sessions.via, t.sessions.ways[own.via]],
            [t.sessions.until, own.expires_at === null ? t.common.never : <Time at={own.expires_at} />],
            [t.sessions.sees, own.sees_payloads ? t.sessions.seesAll : t.sessions.seesLess],
          ]}
        />
      </Panel>
      <For role="editor">
        <All key={turn} />
      </For>
    </>
  );
}

const endWord = ({ is_pending }: ListedSession): string =>
  is_pending ? t.sessions.takeBack : t.sessions.end;

function All() {
  const loaded = useGet<ListPage<ListedSession>>('/sessions');
  const { value, again } = loaded;
  return (
    <Panel title={t.sessions.all}>
      <Pending of={loaded} />
      <ul class="lines">
        {value?.items.map((session) => (
          <li class="flow" key={session.id}>
            <div class="grow">
              <p>
                <strong dir="auto">{whoOf(session.actor)}</strong> {t.account.roles[session.role]}{' '}
                {session.is_current && <Badge tone="good">{t.sessions.current}</Badge>}
                {session.is_pending && <Badge tone="calm">{t.sessions.pending}</Badge>}
              </p>
              {session.client !== null && (
                <p class="soft" title={session.client}>
                  {deviceOf(session.client)}
                </p>
              )}
              {session.invited_by !== null && (
                <p class="soft">{t.sessions.invitedBy(byWhom(session.invited_by))}</p>
              )}
              {session.made_by !== null && <p class="soft">{t.sessions.handedOver}</p>}
              <p class="soft">
                {!session.is_pending && (
                  <>
                    {t.sessions.seen} <Time at={session.seen_at} relative /> ·{' '}
                  </>
                )}
                {t.sessions.until} <Time at={session.expires_at} />
              </p>
            </div>
            {!session.is_current && (
              <AskButton
                label={endWord(session)}
                title={`${endWord(session)}: ${whoOf(session.actor)}`}
                isDangerous
                does={() => ask('DELETE', `/sessions/${session.id}`)}
                done={t.sessions.ended}
                onDone={again}
              >
                {session.client !== null && <p>{deviceOf(session.client)}</p>}
              </AskButton>
            )}
          </li>
        ))}
      </ul>
      {value?.items.length === 0 && <p class="soft">{t.sessions.none}</p>}
    </Panel>
  );
}

const BROWSERS = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:HeadlessChrome|Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const;

const SYSTEMS = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['Mac', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const;

/** A browser as people call it, `Firefox, Linux`; one that nobody knows is its user agent. */
function deviceOf(client: string): string {
  const find = (known: readonly (readonly [string, RegExp])[]) =>
    known.find(([, pattern]) => pattern.test(client))?.[0];
  const found = [find(BROWSERS), find(SYSTEMS)].filter((part) => part !== undefined);
  return found.length === 0 ? client : found.join(', ');
}

function Invite({ onDone, onClose }: WindowProps) {
  const [typed, setName] = useState('');
  const name = typed.trim();
  const [role, setRole] = useState<'viewer' | 'operator'>('operator');
  const [made, setMade] = useState<Invitation | null>(null);
  const [isTried, setTried] = useState(false);
  const [isCopied, setCopied] = useState(false);
  const make = async (): Promise<void> => {
    setTried(true);
    if (name === '') return;
    const invitation = await post<Invitation>('/invitations', { name, role });
    setMade(invitation);
    onDone();
    // If the browser forbids it, the person still has the button.
    await navigator.clipboard.writeText(invitation.url).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  return (
    <Confirm
      title={t.sessions.invite}
      action={t.sessions.makeLink}
      onConfirm={make}
      onClose={onClose}
      after={
        made && (
          <>
            {/* A toast would be behind the dialog, where nobody can close it, and nobody hears it. */}
            <p role="status">
              {t.sessions.linkFor(name)} {isCopied && <Badge tone="good">{t.common.copied}</Badge>}
            </p>
            <Copy text={made.url} />
            <p class="soft">
              {t.sessions.linkUntil} <Time at={made.expires_at} />. {t.sessions.sessionUntil}{' '}
              <Time at={made.session_until} />.
            </p>
          </>
        )
      }
    >
      <TextField
        label={t.common.name}
        value={typed}
        onInput={setName}
        autoFocus
        error={isTried && name === '' ? t.accounts.missing(t.common.name) : undefined}
      />
      <SelectField
        label={t.sessions.role}
        value={role}
        options={(['operator', 'viewer'] as const).map((one) => [one, t.account.roles[one]])}
        help={t.sessions.does[role]}
        onChange={(value) => setRole(value === 'viewer' ? 'viewer' : 'operator')}
      />
    </Confirm>
  );
}
