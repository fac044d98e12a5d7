import { useState } from 'preact/hooks';
import { ask, getTagged, type Tagged } from '../../api/client.ts';
import type { ChangeReceipt } from '../../api/types.ts';
import { useLoad } from '../../lib/load.ts';
import { zoneOptions } from '../../lib/zones.ts';
import { t } from '../../texts/texts.ts';
import { Button, Loading, Trouble } from '../../ui/basics.tsx';
import { DayStrip } from '../../ui/day-strip.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { FieldErrors } from '../../ui/field-errors.tsx';
import { CheckField, SelectField, TextField } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';
import { changed, type EditedQuietHours, type EditedRecipients } from './list.ts';
import { linesOf, readReceivers } from './receivers.ts';

interface EditProps {
  readonly name: string | null;
  /** The names of all lists. */
  readonly taken: readonly string[];
  readonly onClose: () => void;
}

/** Adds a list (`name` null), or changes one. */
export function EditRecipients({ name, taken, onClose }: EditProps) {
  const { value, error, again } = useLoad(`recipients/${name ?? ''}`, async (signal) =>
    name === null ? NEW : getTagged<EditedRecipients>(`/recipients/${encodeURIComponent(name)}`, signal),
  );
  const title = name ?? t.recipients.add;
  if (value !== null)
    return <Form {...{ name, taken, title, onClose }} document={value.value} tag={value.tag} />;
  return (
    <Dialog title={title} onClose={onClose}>
      {error === null ? <Loading /> : <Trouble error={error} again={again} />}
    </Dialog>
  );
}

const NEW: Tagged<EditedRecipients> = { value: {}, tag: null };

interface FormProps extends EditProps {
  readonly title: string;
  readonly document: EditedRecipients;
  /** The version that is edited; null: there is none yet. */
  readonly tag: string | null;
}

const USUAL: EditedQuietHours = {
  from: '22:00',
  to: '07:00',
  timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
};

function Form({ name, taken, title, document, tag, onClose }: FormProps) {
  const [called, setCalled] = useState(name ?? '');
  const [text, setText] = useState(() => linesOf(document));
  const [quiet, setQuiet] = useState<EditedQuietHours | null>(document.quiet ?? null);
  const [warnings, setWarnings] = useState<ChangeReceipt['warnings'] | null>(null);
  const { count, wrong, ...receivers } = readReceivers(text, document.people);
  const wrongLines = wrong.length > 0 ? t.recipients.wrong(wrong.slice(0, 3).join(', ')) : undefined;
  const save = async (): Promise<void> => {
    if (tag === null && taken.includes(called)) throw new Error(t.recipients.taken(called));
    // Whoever changed it in between is not overwritten.
    const headers = tag === null ? {} : { 'if-match': tag };
    const receipt = await ask<ChangeReceipt>('PUT', `/recipients/${encodeURIComponent(called)}`, {
      body: changed(document, receivers, quiet),
      headers,
    });
    toast(t.recipients.saved(called));
    const own = receipt.warnings.filter(({ path }) => path.startsWith(`recipients.${called}`));
    if (own.length === 0) onClose();
    else setWarnings(own);
  };
  if (warnings !== null) return <Warnings {...{ title, warnings, onClose }} />;
  return (
    <Confirm
      title={title}
      action={count === 0 ? t.accounts.save : t.recipients.save(count)}
      isUnready={called.trim() === '' || count === 0 || wrongLines !== undefined}
      onConfirm={save}
      onClose={onClose}
      staysOpen
    >
      {name === null && (
        <TextField
          label={t.recipients.name}
          help={t.recipients.nameHelp}
          value={called}
          onInput={setCalled}
          autoFocus
        />
      )}
      <TextField
        label={t.recipients.numbers}
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
      {quiet !== null && <QuietFields quiet={quiet} onChange={setQuiet} />}
    </Confirm>
  );
}

function QuietFields({
  quiet,
  onChange,
}: {
  quiet: EditedQuietHours;
  onChange: (quiet: EditedQuietHours) => void;
}) {
  const zone = quiet.timezone ?? '';
  return (
    <fieldset class="quiet-fields">
      <legend class="unseen">{t.recipients.quiet}</legend>
      <TextField
        label={t.recipients.quietFrom}
        type="time"
        value={quiet.from}
        onInput={(from) => onChange({ ...quiet, from })}
      />
      <TextField
        label={t.recipients.quietTo}
        type="time"
        value={quiet.to}
        onInput={(to) => onChange({ ...quiet, to })}
      />
      <SelectField
        label={t.recipients.zone}
        value={zone}
        options={zoneOptions('', zone)}
        onChange={(chosen) => onChange(inZone(quiet, chosen))}
      />
      <DayStrip from={quiet.from} to={quiet.to} />
    </fieldset>
  );
}

/** Without a zone they are in UTC. */
function inZone(quiet: EditedQuietHours, zone: string): EditedQuietHours {
  const { timezone: _, ...hours } = quiet;
  return zone === '' ? hours : { ...hours, timezone: zone };
}

/** A list that was saved, with what the relay found odd in it. */
const Warnings = ({
  title,
  warnings,
  onClose,
}: {
  title: string;
  warnings: ChangeReceipt['warnings'];
  onClose: () => void;
}) => (
  <Dialog title={title} onClose={onClose}>
    <div class="dialog-body">
      <p>{t.recipients.savedWithWarnings}</p>
      <FieldErrors errors={warnings} tone="warn" />
    </div>
    <footer class="dialog-foot">
      <Button look="main" onClick={onClose}>
        {t.common.close}
      </Button>
    </footer>
  </Dialog>
);
