import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { get } from '../../api/client.ts';
import type { IncidentAnswer, ListPage, OpenIncidentsAnswer } from '../../api/types.ts';
import { useLoad } from '../../lib/load.ts';
import { addressOf } from '../../lib/router.ts';
import { nameOf } from '../../parts/incident/name.ts';
import { scopeOfSource } from '../../parts/silence/scopes.ts';
import { SilenceButton } from '../../parts/silence/silence.tsx';
import { t } from '../../texts/texts.ts';
import { Loading, Time, Trouble } from '../../ui/basics.tsx';
import { IncidentRow } from '../incidents/row.tsx';
import { Row } from './row.tsx';

interface CardProps {
  readonly of: OpenIncidentsAnswer;
  readonly title: string;
  readonly again: () => void;
  readonly isGone: boolean;
  readonly done: ComponentChildren;
}

/** The number of incidents below a card; the page of incidents has all. */
const SHOWN = 8;

/** The open incidents of a source: how many, how bad, and the newest; below, if somebody asks, which. */
export function IncidentsCard({ of, title, again, isGone, done }: CardProps) {
  const [isOpen, setOpen] = useState(false);
  const { source, newest, acknowledged, silenced, inhibited } = of;
  const besides = t.now.besides(acknowledged, silenced + inhibited);
  return (
    <Row
      tone="bad"
      word={t.now.is.incident}
      title={title}
      isGone={isGone}
      done={done}
      detail={
        <>
          {newest !== null && (
            <>
              {t.now.newest} <a href={addressOf(`/incidents/${newest.id}`)}>{nameOf(newest)}</a> ·{' '}
              <Time at={newest.started_at} relative />
            </>
          )}
          {besides !== '' && ` · ${besides}`}
        </>
      }
      below={isOpen && <Below of={of} />}
    >
      <button type="button" class="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? t.now.hide : t.now.showAll}
      </button>
      <SilenceButton scopes={scopeOfSource(source)} onDone={again} />
    </Row>
  );
}

function Below({ of: { source } }: Pick<CardProps, 'of'>) {
  const { value, error, again } = useLoad(source, async (signal) => {
    const read = (critical: boolean) =>
      get<ListPage<IncidentAnswer>>('/incidents', { source, state: 'open', critical, limit: SHOWN }, signal);
    // The list is by age: a critical one may be far below the others.
    const pages = await Promise.all([read(true), read(false)]);
    return pages.flatMap(({ items }) => items).slice(0, SHOWN);
  });
  return (
    <div class="now-below">
      {error !== null && <Trouble error={error} again={again} />}
      {value === null && error === null && <Loading />}
      <ul>
        {value?.map((incident) => (
          <li key={incident.id}>
            <a href={addressOf(`/incidents/${incident.id}`)}>
              <IncidentRow incident={incident} />
            </a>
          </li>
        ))}
      </ul>
      <a class="button" href={addressOf('/incidents', { source, state: 'open' })}>
        {t.now.allOf(source)}
      </a>
    </div>
  );
}
