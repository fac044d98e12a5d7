import { useState } from 'preact/hooks';
import { post } from '../../api/client.ts';
import type { EventDetail, Replayed } from '../../api/types.ts';
import { go } from '../../lib/router.ts';
import { useSources } from '../../parts/sources.ts';
import { t } from '../../texts/texts.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { CheckField } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';
import { replayCounts } from './replay-counts.ts';

type What = 'all' | 'failed' | 'routes';

/** Asks what of an event is sent again, and says before how many got it already. */
export function ReplayDialog({ event, onClose }: { event: EventDetail; onClose: () => void }) {
  const [what, setWhat] = useState<What>('all');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const routes = useSources().find(({ id }) => id === event.source)?.routes ?? [];
  const { sent, failed } = replayCounts(event.messages, what === 'routes' ? chosen : null);
  const replay = async (): Promise<void> => {
    const body = what === 'failed' ? { only: 'failed' } : what === 'routes' ? { routes: chosen } : {};
    const done = await post<Replayed>(`/events/${event.id}/replay`, body);
    toast(t.events.replayed(done.messages.length));
    go(`/events/${done.event}`);
    scrollTo(0, 0);
  };
  const choices: readonly (readonly [What, string])[] = [
    ['all', t.events.replayAll],
    ...(failed > 0 || event.state === 'failed' || event.state === 'partly_failed'
      ? [['failed', t.events.replayFailed] as const]
      : []),
    ...(routes.length > 1 ? [['routes', t.events.replayRoutes] as const] : []),
  ];
  return (
    <Confirm
      title={t.events.replayTitle}
      action={t.events.replayNow}
      isUnready={what === 'routes' && chosen.length === 0}
      onConfirm={replay}
      onClose={onClose}
    >
      <p>{t.events.replayLead}</p>
      <fieldset class="choice">
        <legend>{t.events.replayWhat}</legend>
        {choices.map(([one, label]) => (
          <label key={one} class="check">
            <input type="radio" name="what" checked={one === what} onChange={() => setWhat(one)} />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      {what === 'routes' && (
        <div class="events-choice-routes" role="group" aria-label={t.events.replayRoutes}>
          {routes.map(({ name }) => (
            <CheckField
              key={name}
              label={name}
              value={chosen.includes(name)}
              onChange={(isOn) =>
                setChosen((old) => (isOn ? [...old, name] : old.filter((other) => other !== name)))
              }
            />
          ))}
        </div>
      )}
      {what === 'failed' && failed > 0 && <p class="soft">{t.events.replayFailedCount(failed)}</p>}
      {what !== 'failed' && sent > 0 && <p class="bulk-warning">{t.events.replayAgain(sent)}</p>}
    </Confirm>
  );
}
