import { goesOn, INCIDENT_STATES } from '../../../src/outbox/state/states.ts';
import type { IncidentAnswer, ListPage } from '../../api/types.ts';
import { useList } from '../../lib/list.ts';
import { useLive } from '../../lib/live.ts';
import { useFilters } from '../../lib/router.ts';
import { heldBy, IncidentActions, nameOf } from '../../parts/incident.tsx';
import { FilterChoice, Filters, SourceFilter } from '../../parts/list.tsx';
import { scopeOfSource, SilenceButton } from '../../parts/silence.tsx';
import { t } from '../../texts/texts.ts';
import { Badge, Empty, PageHead, Pending, Time, type Tone } from '../../ui/basics.tsx';
import { Live } from '../../ui/live.tsx';
import { Rows, useIsNarrow } from '../../ui/rows.tsx';
import { severityLevel } from '../../../src/lib/severity.ts';
import { number } from '../../lib/format.ts';
import { visibleText } from '../../api/client.ts';
import { byWhom } from '../../texts/relay-texts.ts';

export function Incidents() {
  const [query, filter] = useFilters();
  const { source = '', state = '' } = query;
  const list = useList<ListPage<IncidentAnswer>>('/incidents', { source, state });
  const live = useLive(true, list.again);
  const isNarrow = useIsNarrow();
  const isFiltered = source !== '' || state !== '';
  return (
    <>
      <PageHead title={t.nav.incidents}>
        <Live state={live} />
        {source !== '' && <SilenceButton scopes={scopeOfSource(source)} onDone={list.again} />}
      </PageHead>
      <Filters isSet={isFiltered} onClear={() => filter({ source: '', state: '' })}>
        <SourceFilter query={query} onChange={filter} />
        <FilterChoice
          label={t.common.state}
          value={state}
          options={INCIDENT_STATES.map((one) => [one, t.incidents.states[one]])}
          onChange={(state) => filter({ state })}
        />
      </Filters>
      <Pending of={{ ...list, value: list.page }} />
      {list.page !== null && list.items.length === 0 && !list.hasMore && (
        <Empty title={isFiltered ? t.incidents.noneMatch : t.incidents.none}>
          {isFiltered ? undefined : t.incidents.noneText}
        </Empty>
      )}
      {list.items.length > 0 && (
        <>
          <p class="soft below">{t.incidents.order}</p>
          <Rows
            label={t.nav.incidents}
            items={list.items}
            height={isNarrow ? 64 : 36}
            {...(!isNarrow && {
              heads: <IncidentHeads />,
              beside: (incident: IncidentAnswer) => (
                <IncidentActions incident={incident} onDone={list.again} isOnlyAcknowledged />
              ),
            })}
            keyOf={({ id }) => id}
            pathOf={({ id }) => `/incidents/${id}`}
            onEnd={list.more}
          >
            {(incident) => <IncidentRow incident={incident} />}
          </Rows>
        </>
      )}
    </>
  );
}

const IncidentHeads = () => (
  <div class="incidents-row">
    <span>{t.incidents.severity}</span>
    <span>{t.now.is.incident}</span>
    <span>{t.common.source}</span>
    <span>{t.common.state}</span>
    <span class="incidents-when">{t.messages.time}</span>
    <span>{t.incidents.line.acknowledged}</span>
  </div>
);

export const IncidentRow = ({ incident }: { incident: IncidentAnswer }) => {
  const { source, route, occurrences, acknowledged_by: by } = incident;
  const summary = visibleText(incident.summary);
  return (
    <div class="incidents-row">
      <span class="line incidents-line">
        <span class="incidents-severity">
          <SeverityOf of={incident} />
        </span>
        <span class="cut" dir="auto">
          <strong>{nameOf(incident)}</strong>
          {summary !== undefined && <span class="incidents-wide small soft"> {summary}</span>}
        </span>
        <StateOfIncident of={incident} />
      </span>
      <span class="line incidents-line soft">
        <span class="incidents-from cut">
          {source}
          <span class="incidents-wide small"> › {route}</span>
          {occurrences > 1 && ` · ${t.incidents.times(number(occurrences))}`}
        </span>
        <Time
          class="incidents-when"
          at={incident.resolved_at ?? incident.lost_at ?? incident.started_at}
          relative
        />
        {by !== undefined && (
          <span class="incidents-wide small cut">{byWhom(visibleText(by) ?? t.common.hidden)}</span>
        )}
      </span>
    </div>
  );
};

const TONES: Readonly<Record<IncidentAnswer['state'], Tone>> = {
  open: 'busy',
  acknowledged: 'good',
  resolved: 'calm',
  expired: 'warn',
  unwatched: 'calm',
};

/** How bad it is, by a colour and a word: the sender's, or ours for what cannot wait. */
export function SeverityOf({ of: { critical, severity, state } }: { of: IncidentAnswer }) {
  const word = critical ? t.incidents.critical : visibleText(severity);
  if (word === undefined) return null;
  const tone = critical ? 'bad' : severityLevel(word) > 0 ? 'warn' : 'calm';
  return <Badge tone={goesOn(state) ? tone : 'calm'}>{word}</Badge>;
}

export function StateOfIncident({ of }: { of: IncidentAnswer }) {
  const held = heldBy(of);
  return (
    <span class="badges">
      <Badge tone={held === null ? TONES[of.state] : 'calm'}>{t.incidents.states[of.state]}</Badge>
      {held !== null && <Badge tone="calm">{t.incidents[held]}</Badge>}
      {of.flapping && <Badge tone="warn">{t.incidents.flapping}</Badge>}
    </span>
  );
}
