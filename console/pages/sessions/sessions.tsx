import { useState } from 'preact/hooks';
import { ask, get } from '../../api/client.ts';
import { may, type SessionRole } from '../../api/session.ts';
import type { ListPage } from '../../api/types.ts';
import { useLoad } from '../../lib/load.ts';
import { byWhom, whoOf } from '../../texts/said.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Button, Facts, Loading, PageHead, Panel, Time, Trouble } from '../../ui/basics.tsx';
import { For, useSession } from '../../ui/session.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { deviceOf } from './device.ts';
import { Invite } from './invite.tsx';

/** A browser that is signed in. */
interface Session {
  readonly id: string;
  readonly actor: string;
  readonly role: SessionRole;
  readonly created_at: string;
  readonly expires_at: string;
  readonly seen_at: string;
  readonly is_current: boolean;
  /** The session that handed it over by a link. */
  readonly made_by: string | null;
  /** The person who invited the session's person. */
  readonly invited_by: string | null;
  /** True for an invitation that nobody has taken up. */
  readonly is_pending: boolean;
  /** The user agent of the browser. */
  readonly client: string | null;
}

export function Sessions() {
  const own = useSession();
  const [isInviting, setInviting] = useState(false);
  const [turn, setTurn] = useState(0);
  return (
    <>
      <PageHead title={t.sessions.title}>
        <For role="editor">
          <Button look="main" icon="plus" onClick={() => setInviting(true)}>
            {t.sessions.invite}
          </Button>
        </For>
      </PageHead>
      <Panel title={t.sessions.own}>
        <Facts
          facts={[
            [t.sessions.role, t.account.roles[own.role]],
            [t.sessions.actor, whoOf(own.actor)],
            [t.sessions.via, t.sessions.ways[own.via]],
            [t.sessions.until, own.expires_at === null ? t.common.never : <Time at={own.expires_at} />],
            [t.sessions.sees, own.sees_payloads ? t.sessions.seesAll : t.sessions.seesLess],
          ]}
        />
      </Panel>
      {may(own.role, 'editor') && <All key={turn} />}
      {isInviting && (
        <Invite
          onClose={() => {
            setInviting(false);
            setTurn(turn + 1);
          }}
        />
      )}
    </>
  );
}

const load = (signal: AbortSignal) => get<ListPage<Session>>('/sessions', undefined, signal);

const endWord = ({ is_pending }: Session): string => (is_pending ? t.sessions.takeBack : t.sessions.end);

function All() {
  const { value, error, again } = useLoad('sessions', load);
  const [ending, setEnding] = useState<Session | null>(null);
  return (
    <Panel title={t.sessions.all}>
      {error !== null && <Trouble error={error} again={again} />}
      {value === null && error === null && <Loading />}
      <ul class="sessions">
        {value?.items.map((session) => (
          <li key={session.id}>
            <div class="grow">
              <p>
                <strong dir="auto">{whoOf(session.actor)}</strong> {t.account.roles[session.role]}{' '}
                {session.is_current && <Badge tone="good">{t.sessions.current}</Badge>}
                {session.is_pending && <Badge tone="calm">{t.sessions.pending}</Badge>}
              </p>
              {session.client !== null && (
                <p class="soft" title={session.client}>
                  {deviceOf(session.client) ?? session.client}
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
            {!session.is_current && <Button onClick={() => setEnding(session)}>{endWord(session)}</Button>}
          </li>
        ))}
      </ul>
      {value?.items.length === 0 && <p class="soft">{t.sessions.none}</p>}
      {ending !== null && (
        <Confirm
          title={`${endWord(ending)}: ${whoOf(ending.actor)}`}
          action={endWord(ending)}
          isDangerous
          onConfirm={async () => {
            await ask('DELETE', `/sessions/${ending.id}`);
            toast(t.sessions.ended);
            again();
          }}
          onClose={() => setEnding(null)}
        >
          {ending.client !== null && <p>{deviceOf(ending.client) ?? ending.client}</p>}
        </Confirm>
      )}
    </Panel>
  );
}
