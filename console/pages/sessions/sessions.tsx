import { ask, get } from '../../api/client.ts';
import { may, type Role } from '../../api/session.ts';
import type { Page } from '../../api/types.ts';
import { useLoad } from '../../lib/load.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Button, Facts, Loading, PageHead, Panel, Time, Trouble } from '../../ui/basics.tsx';
import { useSession } from '../../ui/session.tsx';
import { doing } from '../../ui/toast.tsx';

/** A browser that is signed in. */
interface Session {
  readonly id: string;
  readonly actor: string;
  readonly role: Role;
  readonly created_at: string;
  readonly expires_at: string;
  readonly seen_at: string;
  readonly is_current: boolean;
  /** The session that handed it over by a link. */
  readonly made_by: string | null;
  /** The user agent of the browser. */
  readonly client: string;
}

export function Sessions() {
  const own = useSession();
  return (
    <>
      <PageHead title={t.sessions.title} />
      <Panel title={t.sessions.own}>
        <Facts
          facts={[
            [t.sessions.role, t.account.roles[own.role]],
            [t.sessions.actor, own.actor],
            [t.sessions.via, t.sessions.ways[own.via]],
            [t.sessions.until, own.expires_at === null ? t.common.never : <Time at={own.expires_at} />],
            [t.sessions.sees, own.sees_payloads ? t.sessions.seesAll : t.sessions.seesLess],
          ]}
        />
      </Panel>
      {may(own.role, 'editor') && <All />}
    </>
  );
}

const load = (signal: AbortSignal) => get<Page<Session>>('/sessions', undefined, signal);

function All() {
  const { value, error, again } = useLoad('sessions', load);
  const end = (id: string): void =>
    void doing(ask('DELETE', `/sessions/${id}`), t.sessions.ended).then(again);
  return (
    <Panel title={t.sessions.all}>
      {error !== null && <Trouble error={error} again={again} />}
      {value === null && error === null && <Loading />}
      <ul class="sessions">
        {value?.items.map((session) => (
          <li key={session.id}>
            <div class="grow">
              <p>
                <strong>{t.account.roles[session.role]}</strong> {session.actor}{' '}
                {session.is_current && <Badge tone="good">{t.sessions.current}</Badge>}
              </p>
              <p class="soft">{session.client}</p>
              {session.made_by !== null && <p class="soft">{t.sessions.handedOver}</p>}
              <p class="soft">
                {t.sessions.seen} <Time at={session.seen_at} relative /> · {t.sessions.until}{' '}
                <Time at={session.expires_at} />
              </p>
            </div>
            {!session.is_current && <Button onClick={() => end(session.id)}>{t.sessions.end}</Button>}
          </li>
        ))}
      </ul>
      {value?.items.length === 0 && <p class="soft">{t.sessions.none}</p>}
    </Panel>
  );
}
