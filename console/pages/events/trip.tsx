import type { EventDetail, Message } from '../../api/types.ts';
import { duration, phoneText } from '../../lib/format.ts';
import { t } from '../../texts/texts.ts';
import { Panel, Time, useNow, type Tone } from '../../ui/basics.tsx';
import { waitText } from './items.tsx';
import { stepsOf, type TripStep } from './trip-steps.ts';

const OUTCOMES: Readonly<Record<string, string>> = t.messages.outcomes;

/** The steps that are drawn; the messages above have all of them. */
export const SHOWN = 12;

const TONES: Readonly<Record<TripStep['is'], Tone>> = {
  received: 'busy',
  sent: 'good',
  failed: 'warn',
  waits: 'calm',
};

interface TripProps {
  readonly event: EventDetail;
  /** The notifications of its items, which are sent later than its own messages. */
  readonly notifications: readonly Message[];
}

/** The trip of an event from its webhook to the phones, with the time of each step. */
export function Trip({ event, notifications }: TripProps) {
  const now = useNow(30_000);
  const steps = stepsOf(event, notifications);
  const start = Date.parse(event.received_at);
  if (steps.length < 2) return null;
  return (
    <Panel title={t.events.trip}>
      <ol class="trip">
        {steps.slice(0, SHOWN).map(({ at, is, phone, by, detail, waits }, index) => (
          <li key={index} class={`trip-step ${TONES[is]}`}>
            <span class="trip-time">
              {at === null ? '' : is === 'received' ? <Time at={at} /> : `+${duration(at - start)}`}
            </span>
            <span>
              {t.events.tripSteps[is]}
              {phone !== null && ` · ${phoneText(phone)}`}
              {by !== null && ` ${t.messages.ofAccount(by)}`}
              {detail !== null && <span class="soft"> · {OUTCOMES[detail] ?? detail}</span>}
              {waits !== undefined && <span class="soft"> {waitText(waits, now)}</span>}
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
