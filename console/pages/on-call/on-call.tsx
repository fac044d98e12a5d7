import { useState } from 'preact/hooks';
import { get } from '../../api/client.ts';
import { addOverride, deleteOverride, revokeCalendar } from '../../api/on-call.ts';
import type { ListPage, OnCall } from '../../api/types.ts';
import { useLoad } from '../../lib/load.ts';
import { useFilters } from '../../lib/router.ts';
import { whoOf } from '../../texts/said.ts';
import { t } from '../../texts/texts.ts';
import { Button, Empty, Loading, PageHead, Panel, Time, Trouble } from '../../ui/basics.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/form.tsx';
import { For } from '../../ui/session.tsx';
import { toast } from '../../ui/toast.tsx';
import { words } from './words.ts';

/** A list whose people take turns. */
interface Rotating {
  readonly onCall: OnCall;
  readonly people: readonly string[];
}

interface List {
  readonly name: string;
  readonly people?: Readonly<Record<string, unknown>>;
  readonly rotation?: unknown;
}

async function load(signal: AbortSignal): Promise<readonly Rotating[]> {
  const { items } = await get<ListPage<List>>('/recipients', undefined, signal);
  const rotating = items.filter(({ rotation }) => rotation !== undefined);
  return Promise.all(
    rotating.map(async ({ name, people = {} }) => ({
      onCall: await get<OnCall>(`/recipients/${encodeURIComponent(name)}/on-call`, undefined, signal),
      people: Object.keys(people),
    })),
  );
}

/** Each list with a rotation: who is on call, who is next, and the next four weeks. */
function Rota() {
  const { value, error, again } = useLoad('on-call', load, 60_000);
  // In the address, so that an incident can lead to it.
  const [{ swap }, filter] = useFilters();
  const swapped = value?.find(({ onCall }) => onCall.name === swap);
  const [deleted, setDeleted] = useState<Deleted | null>(null);
  const [revoked, setRevoked] = useState<string | null>(null);
  return (
    <>
      {error !== null && <Trouble error={error} again={again} />}
      {value === null && error === null && <Loading />}
      {value?.length === 0 && <Empty title={words.none}>{words.noneText}</Empty>}
      {value?.map((list) => (
        <Panel
          key={list.onCall.name}
          title={list.onCall.name}
          aside={
            <For role="operator">
              <Button onClick={() => filter({ swap: list.onCall.name })}>{words.swap}</Button>
            </For>
          }
        >
          <Turns onCall={list.onCall} onDelete={setDeleted} onRevoke={setRevoked} />
        </Panel>
      ))}
      {swapped !== undefined && (
        <For role="operator">
          <Swap {...swapped} onDone={again} onClose={() => filter({ swap: undefined })} />
        </For>
      )}
      {deleted !== null && <Delete {...deleted} onDone={again} onClose={() => setDeleted(null)} />}
      {revoked !== null && <Revoke name={revoked} onDone={again} onClose={() => setRevoked(null)} />}
    </>
  );
}

/** An override that somebody is about to delete. */
interface Deleted {
  readonly name: string;
  readonly override: OnCall['overrides'][number];
}

const Turns = ({
  onCall: { name, now, next, spans, overrides, calendar },
  onDelete,
  onRevoke,
}: {
  onCall: OnCall;
  onDelete: (one: Deleted) => void;
  onRevoke: (list: string) => void;
}) => (
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
        <ul class="sessions">
          {overrides.map((override) => (
            <li key={override.id ?? override.from}>
              <p class="grow">
                <Override {...override} />
              </p>
              {override.ended_at === undefined && (
                <For role="operator">
                  <Button onClick={() => onDelete({ name, override })}>{words.delete}</Button>
                </For>
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
      <Button onClick={() => onRevoke(name)}>{words.revoke}</Button>
    </For>
  </>
);

const Override = (override: OnCall['overrides'][number]) => (
  <>
    <strong dir="auto">{override.person}</strong>: <Time at={override.since} /> – <Time at={override.until} />
    {override.by !== undefined && <span class="soft"> ({whoOf(override.by)})</span>}
    {override.ended_at !== undefined && <> {words.gone}</>}
  </>
);

/** Whoever has the turn is on call again. */
const Delete = ({
  name,
  override,
  onDone,
  onClose,
}: Deleted & { onDone: () => void; onClose: () => void }) => (
  <Confirm
    title={words.deleteTitle(name)}
    action={words.deleteNow}
    isDangerous
    onConfirm={async () => {
      const at = await deleteOverride(name, override);
      toast(words.deleted(at.now.person));
      onDone();
    }}
    onClose={onClose}
  >
    <p>
      <Override {...override} />
    </p>
    <p>{words.deleteText}</p>
  </Confirm>
);

/** Somebody who has the link of a calendar may have left. */
const Revoke = ({ name, onDone, onClose }: { name: string; onDone: () => void; onClose: () => void }) => (
  <Confirm
    title={words.revokeTitle(name)}
    action={words.revokeNow}
    isDangerous
    onConfirm={async () => {
      await revokeCalendar(name);
      toast(words.revoked);
      onDone();
    }}
    onClose={onClose}
  >
    <p>{words.revokeText}</p>
  </Confirm>
);

/** The date and time (ms) as a field of a form has it. Swedes write it that way. */
const fieldTime = (at: number, timeZone: string): string =>
  new Date(at).toLocaleString('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' }).replace(' ', 'T');

/** Somebody else is on call for a while, if nothing else is chosen: from now until the end of the turn. */
function Swap({
  onCall: { name, now, timezone },
  people,
  onDone,
  onClose,
}: Rotating & { onDone: () => void; onClose: () => void }) {
  const [person, setPerson] = useState(people.find((one) => one !== now.person) ?? now.person);
  const [from, setFrom] = useState(() => fieldTime(Date.now(), timezone));
  const [to, setTo] = useState(() => (now.until === null ? '' : fieldTime(Date.parse(now.until), timezone)));
  return (
    <Confirm
      title={words.swapTitle(name)}
      action={words.swapNow}
      isUnready={from === '' || to === ''}
      onConfirm={async () => {
        await addOverride(name, { person, from, to });
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
      <TextField
        label={words.from}
        type="datetime-local"
        value={from}
        onInput={setFrom}
        help={words.zone(timezone)}
      />
      <TextField
        label={words.to}
        type="datetime-local"
        value={to}
        onInput={setTo}
        help={words.zone(timezone)}
      />
    </Confirm>
  );
}

/** The page of the people on call. */
export const OnCallPage = () => (
  <>
    <PageHead title={t.nav.onCall} />
    <Rota />
  </>
);
