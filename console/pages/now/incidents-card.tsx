import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { get } from '../../api/client.ts';
import type { IncidentAnswer, ListPage, OpenIncidentsAnswer } from '../../api/types.ts';
import { useLoad } from '../../lib/load.ts';
import { seenText } from '../../lib/hidden.ts';
import { addressOf } from '../../lib/router.ts';
import { IncidentActions } from '../../parts/incident/actions.tsx';
import { nameOf } from '../../parts/incident/name.ts';
import { scopeOfSource } from '../../parts/silence/scopes.ts';
import { SilenceButton } from '../../parts/silence/silence.tsx';
import { t } from '../../texts/texts.ts';
import { Loading, Time, Trouble } from '../../ui/basics.tsx';
import { IncidentRow } from '../incidents/row.tsx';
import { SeverityOf } from '../incidents/state.tsx';
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

/** The open incidents of a source: how many, how bad, and the worst; below, if somebody asks, which. */
export function IncidentsCard({ of, title, again, isGone, done }: CardProps) {
  const [isOpen, setOpen] = useState(false);
  const { source, worst, acknowledged, silenced, inhibited } = of;
  const summary = seenText(worst?.summary);
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
          {worst !== null && (
            <>
              <SeverityOf of={worst} /> <a href={addressOf(`/incidents/${worst.id}`)}>{nameOf(worst)}</a> ·{' '}
              <Time at={worst.started_at} relative />
              {summary !== undefined && <span class="now-summary">{summary}</span>}
            </>
          )}
          {besides !== '' && ` · ${besides}`}
        </>
      }
      below={isOpen && <Below of={of} />}
    >
      {worst !== null && <IncidentActions incident={worst} onDone={again} isOnlyAcknowledged />}
      <button type="button" class="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? t.now.hide : t.now.showAll}
      </button>
      <SilenceButton scopes={scopeOfSource(source)} onDone={again} />
    </Row>
  );
}

function Below({ of: { source } }: Pick<CardProps, 'of'>) {
  const { value, error, again } = useLoad(source, (signal) =>
    get<ListPage<IncidentAnswer>>('/incidents', { source, state: 'open', limit: SHOWN }, signal),
  );
  return (
    <div class="now-below">
      {error !== null && <Trouble error={error} again={again} />}
      {value === null && error === null && <Loading />}
      <ul>
        {value?.items.map((incident) => (
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
