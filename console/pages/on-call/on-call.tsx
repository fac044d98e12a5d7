import { useState } from 'preact/hooks';
import { ask, get, post } from '../../api/client.ts';
import type { ListPage, OnCall } from '../../api/types.ts';
import { useLoad } from '../../lib/load.ts';
import { useFilters } from '../../lib/router.ts';
import { whoOf } from '../../texts/relay-texts.ts';
import { language, t } from '../../texts/texts.ts';
import { Button, Empty, PageHead, Panel, Pending, Time } from '../../ui/basics.tsx';
import { AskButton, Confirm, type WindowProps } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/form.tsx';
import { For } from '../../ui/session.tsx';
import { toast } from '../../ui/toast.tsx';
import type { ListedRecipients } from '../recipients/receivers.ts';

const pathOf = (list: string): string => `/recipients/${encodeURIComponent(list)}`;

async function load(signal: AbortSignal) {
  const { items } = await get<ListPage<ListedRecipients>>('/recipients', undefined, signal);
  const rotating = items.filter(({ rotation }) => rotation !== undefined);
  return Promise.all(
    rotating.map(async ({ name, people = {} }) => ({
      onCall: await get<OnCall>(`${pathOf(name)}/on-call`, {}, signal),
      people: Object.keys(people),
    })),
  );
}

type Rotation = Awaited<ReturnType<typeof load>>[number];

export function OnCallPage() {
  const loaded = useLoad('on-call', load, 60_000);
  const { value, again } = loaded;
  // In the address, so that an incident can lead to it.
  const [{ swap }, filter] = useFilters();
  const swapped = value?.find(({ onCall }) => onCall.name === swap);
  return (
    <>
      <PageHead title={t.nav.onCall} />
      <Pending of={loaded} />
      {value?.length === 0 && <Empty title={words.none}>{words.noneText}</Empty>}
      {value?.map((list) => (
        <Panel
          key={list.onCall.name}
          title={list.onCall.name}
          aside={
            <For role="operator">
              <Button onClick={() => filter({ swap: list.onCall.name })}>{words.swap} …</Button>
            </For>
          }
        >
          <Turns {...list.onCall} onDone={again} />
        </Panel>
      ))}
      {swapped !== undefined && (
        <For role="operator">
          <Swap {...swapped} onDone={again} onClose={() => filter({ swap: undefined })} />
        </For>
      )}
    </>
  );
}

type TurnsProps = Pick<WindowProps, 'onDone'> & OnCall;

const Turns = ({ name, now, next, spans, overrides, calendar, onDone }: TurnsProps) => (
  <>
    <p>
      {words.now}: <strong dir="auto">{now.person}</strong>{' '}
      {now.until !== null && (
        <>
          {words.until} <Time at={now.until} />
        </>
      )}
    </p>
    <p>
      {words.next}: {next === null ? words.always : <strong dir="auto">{next.person}</strong>}
    </p>
    <table class="table">
      <caption class="unseen">{words.weeks(name)}</caption>
      <thead>
        <tr>
          <th scope="col">{words.person}</th>
          <th scope="col">{words.from}</th>
          <th scope="col">{words.to}</th>
        </tr>
      </thead>
      <tbody>
        {spans.map(({ person, since, until }) => (
          <tr key={since}>
            <th scope="row" dir="auto">
              {person}
            </th>
            <td>{since !== null && <Time at={since} />}</td>
            <td>{until !== null && <Time at={until} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
    {overrides.length > 0 && (
      <>
        <h3>{words.overrides}</h3>
        <ul class="lines">
          {overrides.map((override) => (
            <li class="flow" key={override.id ?? override.from}>
              <p class="grow">
                <Override {...override} />
              </p>
              {override.ended_at === undefined && (
                <AskButton
                  label={words.delete}
                  title={words.deleteTitle(name)}
                  action={words.deleteNow}
                  isDangerous
                  does={async () => toast(words.deleted((await deleteOverride(name, override)).now.person))}
                  onDone={onDone}
                >
                  <p>
                    <Override {...override} />
                  </p>
                  <p>{words.deleteText}</p>
                </AskButton>
              )}
            </li>
          ))}
        </ul>
      </>
    )}
    <For role="operator">
      <p class="soft">
        <a href={calendar}>{words.calendar}</a>. {words.calendarHelp}
      </p>
    </For>
    {/* Somebody who has the link may have left. */}
    <AskButton
      label={words.revoke}
      title={words.revokeTitle(name)}
      action={words.revokeNow}
      isDangerous
      does={() => ask('DELETE', `${pathOf(name)}/calendar`)}
      done={words.revoked}
      onDone={onDone}
    >
      <p>{words.revokeText}</p>
    </AskButton>
  </>
);

const Override = (override: OnCall['overrides'][number]) => (
  <>
    <strong dir="auto">{override.person}</strong>: <Time at={override.since} /> – <Time at={override.until} />
    {override.by !== undefined && <span class="soft"> ({whoOf(override.by)})</span>}
    {override.ended_at !== undefined && <> {words.gone}</>}
  </>
);

/** The date and time (ms) as a field of a form has it. Swedes write it that way. */
const fieldTime = (at: number, timeZone: string): string =>
  new Date(at).toLocaleString('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' }).replace(' ', 'T');

/** Somebody else is on call for a while, if nothing else is chosen: from now until the end of the turn. */
function Swap({ onCall: { name, now, timezone }, people, onDone, onClose }: Rotation & WindowProps) {
  const [person, setPerson] = useState(people.find((one) => one !== now.person) ?? now.person);
  const [from, setFrom] = useState(() => fieldTime(Date.now(), timezone));
  const time = { type: 'datetime-local', help: words.zone(timezone) } as const;
  const [to, setTo] = useState(() => (now.until === null ? '' : fieldTime(Date.parse(now.until), timezone)));
  return (
    <Confirm
      title={`${words.swap}: ${name}`}
      action={words.swap}
      isUnready={from === '' || to === ''}
      onConfirm={async () => {
        // In the time zone of the list's rotation; also from an override that has begun.
        await post(`${pathOf(name)}/overrides`, { person, from, to });
        toast(words.swapped(person));
        onDone();
      }}
      onClose={onClose}
    >
      <SelectField
        label={words.takesOver}
        help={words.takesOverHelp}
        value={person}
        options={people.map((one) => [one, one])}
        onChange={setPerson}
      />
      <TextField label={words.from} {...time} value={from} onInput={setFrom} />
      <TextField label={words.to} {...time} value={to} onInput={setTo} />
    </Confirm>
  );
}

const en = {
  none: 'No rotations yet',
  noneText: 'Add a rotation to the file of a recipients list, and its people take turns.',
  now: 'Now',
  next: 'Next',
  until: 'until',
  always: 'Nobody else',
  person: 'Person',
  from: 'From',
  to: 'Until',
  weeks: (list: string) => `${list}: the next four weeks`,
  calendar: 'Calendar link',
  calendarHelp: 'For your calendar app. Whoever has the link sees who is on call.',
  revoke: 'New link …',
  revokeTitle: (list: string) => `New calendar link: ${list}`,
  revokeNow: 'Make a new link',
  revokeText: 'Calendars that use the link of today stop working.',
  revoked: 'The earlier calendar links no longer work.',
  swap: 'Hand over',
  swapped: (person: string) => `${person} takes over.`,
  takesOver: 'Who takes over',
  takesOverHelp: 'Is notified of open incidents at the start.',
  overrides: 'Overrides',
  gone: 'Not in the list any more.',
  delete: 'Delete …',
  deleteTitle: (list: string) => `Delete an override: ${list}`,
  deleteText:
    'The person whose turn it is will be on call again. If the override has begun, they are notified of open incidents.',
  deleteNow: 'Delete the override',
  deleted: (person: string) => `The override is deleted. On call instead: ${person}`,
  zone: (zone: string) => `Time in ${zone}`,
};

const de: typeof en = {
  none: 'Noch keine Rotation',
  noneText: 'Trage in der Datei einer Liste eine Rotation ein, dann wechseln sich ihre Personen ab.',
  now: 'Jetzt',
  next: 'Danach',
  until: 'bis',
  always: 'Niemand sonst',
  person: 'Person',
  from: 'Von',
  to: 'Bis',
  weeks: (list) => `${list}: die nächsten vier Wochen`,
  calendar: 'Kalender-Link',
  calendarHelp: 'Für dein Kalenderprogramm. Wer den Link hat, sieht, wer Bereitschaft hat.',
  revoke: 'Neuer Link …',
  revokeTitle: (list) => `Neuer Kalender-Link: ${list}`,
  revokeNow: 'Neuen Link erstellen',
  revokeText: 'Kalender mit dem bisherigen Link funktionieren danach nicht mehr.',
  revoked: 'Frühere Kalender-Links gelten nicht mehr.',
  swap: 'Übergeben',
  swapped: (person) => `${person} übernimmt.`,
  takesOver: 'Wer übernimmt',
  takesOverHelp: 'Erfährt zu Beginn von offenen Störungen.',
  overrides: 'Vertretungen',
  gone: 'Nicht mehr in der Liste.',
  delete: 'Löschen …',
  deleteTitle: (list) => `Vertretung löschen: ${list}`,
  deleteText:
    'Danach hat wieder Bereitschaft, wer an der Reihe ist, und erfährt von offenen Störungen, falls die Vertretung schon gilt.',
  deleteNow: 'Vertretung löschen',
  deleted: (person) => `Vertretung gelöscht. Stattdessen hat ${person} Bereitschaft.`,
  zone: (zone) => `Zeit in ${zone}`,
};

/** The words of this page, which are loaded with it. */
const words = language === 'de' ? de : en;

/** Ends an override; one of the list's document is removed there. Gives who is on call then: now, or when it would have begun. */
async function deleteOverride(list: string, override: OnCall['overrides'][number]): Promise<OnCall> {
  const { since, from, id = from } = override;
  await ask('DELETE', `${pathOf(list)}/overrides/${encodeURIComponent(id)}`);
  return get(`${pathOf(list)}/on-call`, Date.parse(since) > Date.now() ? { at: since } : {});
}
