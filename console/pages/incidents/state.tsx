import type { IncidentAnswer } from '../../api/types.ts';
import { goesOn } from '../../../src/outbox/state/states.ts';
import { severityLevel } from '../../../src/lib/severity.ts';
import { seenText } from '../../lib/hidden.ts';
import { heldBy } from '../../parts/incident/name.ts';
import { t } from '../../texts/texts.ts';
import { Badge, type Tone } from '../../ui/basics.tsx';

const TONES: Readonly<Record<IncidentAnswer['state'], Tone>> = {
  open: 'busy',
  acknowledged: 'good',
  resolved: 'calm',
  expired: 'warn',
  unwatched: 'calm',
};

/** How bad it is, by a colour and a word: the sender's, or ours for what cannot wait. */
export function SeverityOf({ of: { critical, severity, state } }: { of: IncidentAnswer }) {
  const word = critical ? t.incidents.critical : seenText(severity);
  if (word === undefined) return null;
  const tone = critical ? 'bad' : severityLevel(word) > 0 ? 'warn' : 'calm';
  return <Badge tone={goesOn(state) ? tone : 'calm'}>{word}</Badge>;
}

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
