import type { IncidentAnswer } from '../../api/types.ts';
import { number } from '../../lib/format.ts';
import { seenText } from '../../lib/hidden.ts';
import { nameOf } from '../../parts/incident/name.ts';
import { byWhom } from '../../texts/said.ts';
import { t } from '../../texts/texts.ts';
import { Time } from '../../ui/basics.tsx';
import { SeverityOf, StateOfIncident } from './state.tsx';

export const IncidentHeads = () => (
  <div class="incidents-row">
    <span>{t.incidents.severity}</span>
    <span>{t.now.is.incident}</span>
    <span>{t.common.source}</span>
    <span>{t.common.state}</span>
    <span class="incidents-when">{t.messages.time}</span>
    <span>{t.incidents.line.acknowledged}</span>
  </div>
);

/** An incident in a list: columns, or on a phone two lines. */
export const IncidentRow = ({ incident }: { incident: IncidentAnswer }) => {
  const { source, route, occurrences, acknowledged_by: by } = incident;
  const summary = seenText(incident.summary);
  return (
    <div class="incidents-row">
      <span class="line incidents-line">
        <span class="incidents-severity">
          <SeverityOf of={incident} />
        </span>
        <span class="incidents-name cut" dir="auto">
          <strong>{nameOf(incident)}</strong>
          {summary !== undefined && <span class="incidents-wide soft"> {summary}</span>}
        </span>
        <StateOfIncident of={incident} />
      </span>
      <span class="line incidents-line soft">
        <span class="incidents-from cut">
          {source}
          <span class="incidents-wide"> › {route}</span>
          {occurrences > 1 && ` · ${t.incidents.times(number(occurrences))}`}
        </span>
        <span class="incidents-when">
          <Time at={incident.resolved_at ?? incident.lost_at ?? incident.started_at} relative />
        </span>
        {by !== undefined && (
          <span class="incidents-wide cut">{byWhom(seenText(by) ?? t.common.hidden)}</span>
        )}
      </span>
    </div>
  );
};
