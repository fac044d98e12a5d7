import { useState } from 'preact/hooks';
import { getTagged, put, readSet, type Tagged } from '../../api/client.ts';
import type { ChangeReceipt } from '../../api/types.ts';
import { phoneText } from '../../lib/format.ts';
import { useLoad } from '../../lib/load.ts';
import { addressOf } from '../../lib/router.ts';
import { zoneOptions } from '../../lib/places.ts';
import { t } from '../../texts/texts.ts';
import { Empty, PageHead, Panel, Pending } from '../../ui/basics.tsx';
import { Confirm, Dialog, Opener } from '../../ui/dialog.tsx';
import { CheckField, FieldErrors, SelectField, TextField } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';
import { changed, linesOf, listsIn, readReceivers, receiversOf, usedBy } from './receivers.ts';
import type { EditedQuietHours, EditedRecipients } from './receivers.ts';

/** The number of receivers that are shown of a long list. The editor has all of them. */
const SHOWN = 100;

export function Recipients() {
  const { value, error, again } = useLoad('recipients', readSet);
  const lists = value === null ? [] : listsIn(value.value);
  const editor = (name: string | null) => (close: () => void) => (
    <EditRecipients
      name={name}
      taken={lists.map(([one]) => one)}
      onClose={() => {
        close();
        again();
      }}
    />
  );
  return (
    <>
      <PageHead title={t.nav.recipients}>
        <a class="button" href={addressOf('/recipients/opted-out')}>
          {t.optedOut.title}
        </a>
        <Opener role="editor" icon="plus" label={t.recipients.add}>
          {editor(null)}
        </Opener>
      </PageHead>
      <Pending of={{ value, error, again }} />
      {value !== null && lists.length === 0 && (
        <Empty title={t.recipients.none}>{t.recipients.noneText}</Empty>
      )}
      {lists.map(([name, list]) => (
        <Panel
          key={name}
          title={name}
          aside={
            <Opener role="editor" label={t.common.edit}>
              {editor(name)}
            </Opener>
          }
        >
          <People receivers={receiversOf(list)} />
          {list.quiet !== undefined && (
            <p>{t.recipients.quietIs(list.quiet.from, list.quiet.to, list.quiet.timezone ?? 'UTC')}</p>
          )}
          <UsedBy routes={usedBy(name, value?.value.sources ?? {})} />
        </Panel>
      ))}
    </>
  );
}

const People = ({ receivers }: { receivers: ReturnType<typeof receiversOf> }) => (
  <ul class="flow below recipients">
    {receivers.slice(0, SHOWN).map(({ name, phone, addresses }) => (
      <li key={name ?? phone}>
        {name !== null && <strong dir="auto">{name}</strong>}{' '}
        {phone !== null && <a href={addressOf('/messages', { phone })}>{phoneText(phone)}</a>}
        {addresses.length > 0 && <span class="soft"> {addresses.join(', ')}</span>}
      </li>
    ))}
    {receivers.length > SHOWN && <li class="soft">{t.recipients.more(receivers.length - SHOWN)}</li>}
  </ul>
);

const UsedBy = ({ routes }: { routes: ReturnType<typeof usedBy> }) => (
  <p class="soft">
    {routes.length === 0 ? t.recipients.unused : t.recipients.usedBy}{' '}
    {routes.map(({ source, route }, at) => (
      <span key={`${source}/${route}`}>
        {at > 0 && ', '}
        <a href={addressOf(`/sources/${encodeURIComponent(source)}`)}>
          {source}: {route}
        </a>
      </span>
    ))}
  </p>
);

interface EditProps {
  readonly name: string | null;
  readonly taken: readonly string[];
  readonly onClose: () => void;
}

function EditRecipients({ name, taken, onClose }: EditProps) {
  const { value, error, again } = useLoad(`recipients/${name ?? ''}`, async (signal) =>
    name === null ? NEW : getTagged<EditedRecipients>(`/recipients/${encodeURIComponent(name)}`, {}, signal),
  );
  if (value !== null) return <Form {...{ name, taken, onClose }} start={value} />;
  return (
    <Dialog title={name ?? t.recipients.add} onClose={onClose}>
      <Pending of={{ value, error, again }} />
    </Dialog>
  );
}

const NEW: Tagged<EditedRecipients> = { value: {}, tag: null };

const USUAL: EditedQuietHours = {
  from: '22:00',
  to: '07:00',
  timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
};

function Form({ name, taken, start, onClose }: EditProps & { start: Tagged<EditedRecipients> }) {
  const { value: document, tag } = start;
  const [called, setCalled] = useState(name ?? '');
  const [text, setText] = useState(() => linesOf(document));
  const [quiet, setQuiet] = useState<EditedQuietHours | null>(document.quiet ?? null);
  const [warnings, setWarnings] = useState<ChangeReceipt['warnings'] | null>(null);
  const { count, wrong, ...receivers } = readReceivers(text, document.people);
  const wrongLines = wrong.length > 0 ? t.recipients.wrong(wrong.slice(0, 3).join(', ')) : undefined;
  const save = async (): Promise<void> => {
    if (name === null && taken.includes(called)) throw new Error(t.recipients.taken(called));
    const body = changed(document, receivers, quiet);
    const receipt = await put(`/recipients/${encodeURIComponent(called)}`, body, tag);
    toast(t.recipients.saved(called));
    const own = receipt.warnings.filter(({ path }) => path.startsWith(`recipients.${called}`));
    if (own.length === 0) onClose();
    else setWarnings(own);
  };
  return (
    <Confirm
      title={name ?? t.recipients.add}
      action={count === 0 ? t.accounts.save : t.recipients.save(count)}
      isUnready={called.trim() === '' || count === 0 || wrongLines !== undefined}
      onConfirm={save}
      onClose={onClose}
      // It was saved, with what the relay found odd in it.
      after={
        warnings && (
          <>
            <p>{t.recipients.savedWithWarnings}</p>
            <FieldErrors errors={warnings} tone="warn" />
          </>
        )
      }
    >
      {name === null && (
        <TextField
          label={t.common.name}
          help={t.recipients.nameHelp}
          value={called}
          onInput={setCalled}
          autoFocus
        />
      )}
      <TextField
        label={t.common.numbers}
        help={t.recipients.numbersHelp}
        error={wrongLines}
        rows={8}
        value={text}
        onInput={setText}
      />
      <CheckField
        label={t.recipients.quiet}
        value={quiet !== null}
        onChange={(isOn) => setQuiet(isOn ? (document.quiet ?? USUAL) : null)}
      />
      {quiet !== null && (
        <fieldset class="flow">
          <legend class="unseen">{t.recipients.quiet}</legend>
          {(['from', 'to'] as const).map((end) => (
            <TextField
              key={end}
              label={end === 'from' ? t.recipients.quietFrom : t.recipients.quietTo}
              type="time"
              value={quiet[end]}
              onInput={(time) => setQuiet({ ...quiet, [end]: time })}
            />
          ))}
          <SelectField
            label={t.common.zone}
            value={quiet.timezone ?? ''}
            options={zoneOptions('', quiet.timezone ?? '')}
            onChange={(zone) => {
              // Without a zone they are in UTC.
              const { timezone: _, ...hours } = quiet;
              setQuiet(zone === '' ? hours : { ...hours, timezone: zone });
            }}
          />
        </fieldset>
      )}
    </Confirm>
  );
}
