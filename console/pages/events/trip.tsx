import type { EventDetail } from '../../api/types.ts';
import { duration, phoneText } from '../../lib/format.ts';
import { t } from '../../texts/texts.ts';
import { Panel, Time, type Tone } from '../../ui/basics.tsx';
import { stepsOf, type TripStep } from './trip-steps.ts';

const OUTCOMES: Readonly<Record<string, string>> = t.messages.outcomes;

/** The steps that are drawn; the messages below have all of them. */
const SHOWN = 12;

const TONES: Readonly<Record<TripStep['is'], Tone>> = {
  received: 'busy',
  sent: 'good',
  failed: 'warn',
  waits: 'calm',
};

/** The trip of an event from its webhook to the phones, with the time of each step. */
export function Trip({ event }: { event: EventDetail }) {
  const steps = stepsOf(event);
  const start = Date.parse(event.received_at);
  if (steps.length < 2) return null;
  return (
    <Panel title={t.events.trip}>
      <ol class="trip">
        {steps.slice(0, SHOWN).map(({ at, is, phone, by, detail }, index) => (
          <li key={index} class={`trip-step ${TONES[is]}`}>
            <span class="trip-time">
              {at === null ? '' : is === 'received' ? <Time at={at} /> : `+${duration(at - start)}`}
            </span>
            <span>
              {t.events.tripSteps[is]}
              {phone !== null && ` · ${phoneText(phone)}`}
              {by !== null && ` ${t.messages.ofAccount(by)}`}
              {detail !== null && <span class="soft"> · {OUTCOMES[detail] ?? detail}</span>}
            </span>
          </li>
        ))}
        {steps.length > SHOWN && (
          <li class="trip-step calm">
            <span class="trip-time" />
            <span>{t.events.tripMore(steps.length - SHOWN)}</span>
          </li>
        )}
      </ol>
    </Panel>
  );
}
