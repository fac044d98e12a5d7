import { useState } from 'preact/hooks';
import { put, readSet, type Tagged } from '../../api/client.ts';
import type { Written } from '../../api/types.ts';
import { useLoad } from '../../lib/load.ts';
import { language, t } from '../../texts/texts.ts';
import { Pending } from '../../ui/basics.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { CheckField, SelectField, TextField } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';
import type { TypedPolicy } from './policy.ts';
import { textAt } from '../sources/model.ts';
import { documentOf, ESCAPE_CHANNELS, standardOf, typedOf } from './policy.ts';

interface EditProps {
  readonly account: string;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

/** The document of an account, out of the whole set: `default` may have none. */
async function read(account: string, signal: AbortSignal): Promise<Tagged<Written>> {
  const { value, tag } = await readSet(signal);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the relay has checked it
  const documents = value.accounts as Readonly<Record<string, Written>>;
  return { value: documents[account] ?? {}, tag };
}

export function EditAccount(props: EditProps) {
  const { account, onClose } = props;
  const { value, error, again } = useLoad(`account ${account}`, (signal) => read(account, signal));
  if (value !== null) return <Form {...props} start={value} />;
  return (
    <Dialog title={account} onClose={onClose}>
      <Pending of={{ value, error, again }} />
    </Dialog>
  );
}

function Form({ account, onSaved, onClose, start }: EditProps & { start: Tagged<Written> }) {
  const [typed, setTyped] = useState<TypedPolicy>(() => typedOf(start.value));
  const backup = textAt(start.value, 'escape.via.account');
  const standard = standardOf(start.value, typed);
  const set = (changed: Partial<TypedPolicy>): void => setTyped({ ...typed, ...changed });
  const field = (
    key: Exclude<keyof TypedPolicy, 'isPaced' | 'isCapped'>,
    label: string,
    more: Partial<Parameters<typeof TextField>[0]>,
  ) => <TextField label={label} value={typed[key]} onInput={(value) => set({ [key]: value })} {...more} />;
  const save = async (): Promise<void> => {
    const document = documentOf(start.value, typed, USUAL);
    await put(`/accounts/${encodeURIComponent(account)}`, document, start.tag);
    toast(t.accounts.saved(account));
    onSaved();
  };
  return (
    <Confirm
      title={t.accounts.editTitle(account)}
      action={t.accounts.save}
      onConfirm={save}
      onClose={onClose}
    >
      <CheckField label={t.accounts.isPaced} value={typed.isPaced} onChange={(isPaced) => set({ isPaced })} />
      {typed.isPaced && (
        <div class="pair">
          {field('perMinute', t.accounts.perMinute, { type: 'number', placeholder: standard.perMinute })}
          {field('burst', t.accounts.burst, { type: 'number', placeholder: standard.burst })}
        </div>
      )}
      <CheckField
        label={t.accounts.isCapped}
        value={typed.isCapped}
        onChange={(isCapped) => set({ isCapped })}
      />
      {typed.isCapped &&
        field('perHour', t.accounts.perHour, {
          help: t.accounts.perHourHelp,
          type: 'number',
          placeholder: standard.perHour,
        })}
      {field('notifyUrl', t.accounts.notify, {
        help: t.accounts.notifyHelp,
        type: 'url',
        placeholder: 'https://ntfy.sh/…',
      })}
      {typed.notifyUrl.includes('{secret}') &&
        field('notifySecret', t.accounts.notifySecret, { placeholder: 'NOTIFY_OWNER' })}
      <SelectField
        label={t.accounts.escape}
        help={t.accounts.escapeHelp(standard.escapeAfter)}
        value={typed.escapeKind}
        options={[
          ['', t.accounts.escapeNone],
          ...ESCAPE_CHANNELS,
          ...(backup === null ? [] : ([['account', backup]] as const)),
        ]}
        onChange={(escapeKind) => set({ escapeKind })}
      />
      {typed.escapeKind !== '' &&
        typed.escapeKind !== 'account' &&
        field('escapeSecret', t.accounts.notifySecret, {
          help: t.accounts.escapeSecretHelp,
          placeholder: 'NOTIFY_ESCAPE',
        })}
      {field('canaryTo', t.accounts.canaryTo, {
        help: t.accounts.canaryHelp,
        placeholder: '+49 151 12345678',
      })}
      {typed.canaryTo !== '' && (
        <div class="pair">
          {field('canaryEvery', t.accounts.canaryEvery, { placeholder: standard.canaryEvery })}
          {field('canaryWithin', t.accounts.canaryWithin, { placeholder: standard.canaryWithin })}
        </div>
      )}
    </Confirm>
  );
}

/** A new canary is sent at the person's time of day, in their language. */
const USUAL = { timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone, language } as const;
