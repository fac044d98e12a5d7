import type { IncidentAnswer } from '../../api/types.ts';
import { number } from '../../lib/format.ts';
import { nameOf } from '../../parts/incident/name.ts';
import { t } from '../../texts/texts.ts';
import { Time } from '../../ui/basics.tsx';
import { SeverityOf, StateOfIncident } from './state.tsx';

/** An incident in a list: how bad it is, its name and state, and below where it comes from and since when it is open. */
export const IncidentRow = ({ incident }: { incident: IncidentAnswer }) => (
  <div class="incidents-row">
    <span class="incidents-line">
      <SeverityOf of={incident} />
      <strong class="cut" dir="auto">
        {nameOf(incident)}
      </strong>
      <StateOfIncident of={incident} />
    </span>
    <span class="incidents-line soft">
      <span class="cut">
        {incident.source}
        {incident.occurrences > 1 && ` · ${t.incidents.times(number(incident.occurrences))}`}
      </span>
      <span class="incidents-when">
        <Time at={incident.resolved_at ?? incident.lost_at ?? incident.started_at} relative />
      </span>
    </span>
  </div>
);
