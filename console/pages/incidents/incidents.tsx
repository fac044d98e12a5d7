import { INCIDENT_STATES } from '../../../src/outbox/state/states.ts';
import type { IncidentAnswer, ListPage } from '../../api/types.ts';
import { useList } from '../../lib/list.ts';
import { useLive } from '../../lib/live.ts';
import { useFilters } from '../../lib/router.ts';
import { IncidentActions } from '../../parts/incident/actions.tsx';
import { FilterChoice, Filters, SourceFilter } from '../../parts/list.tsx';
import { scopeOfSource, SilenceButton } from '../../parts/silence/silence.tsx';
import { t } from '../../texts/texts.ts';
import { Empty, PageHead, Pending } from '../../ui/basics.tsx';
import { Live } from '../../ui/live.tsx';
import { Rows, useIsNarrow } from '../../ui/rows.tsx';
import { IncidentHeads, IncidentRow } from './row.tsx';

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
