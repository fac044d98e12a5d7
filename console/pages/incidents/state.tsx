import type { IncidentAnswer } from '../../api/types.ts';
import { heldBy } from '../../parts/incident/name.ts';
import { t } from '../../texts/texts.ts';
import { Badge, type Tone } from '../../ui/basics.tsx';

const TONES: Readonly<Record<IncidentAnswer['state'], Tone>> = {
  open: 'bad',
  acknowledged: 'warn',
  resolved: 'calm',
  expired: 'warn',
  unwatched: 'calm',
};

/** The badges of an incident: open or not, silenced, flapping. */
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
