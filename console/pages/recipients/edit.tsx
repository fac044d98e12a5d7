import { useState } from 'preact/hooks';
import { ask, getTagged } from '../../api/client.ts';
import { phoneText } from '../../lib/format.ts';
import { useLoad } from '../../lib/load.ts';
import { t } from '../../texts/texts.ts';
import { Loading, Trouble } from '../../ui/basics.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';
import { readNumbers } from './numbers.ts';

/** A recipients document. What is not shown here (`quiet`, `throttle`) stays as it is. */
interface Document {
  readonly numbers: readonly string[];
  readonly [key: string]: unknown;
}

interface EditProps {
  readonly name: string | null;
  /** The names of all lists. */
  readonly taken: readonly string[];
  readonly onClose: () => void;
}

/** Adds a list (`name` null), or changes the numbers of one. */
export function EditRecipients({ name, taken, onClose }: EditProps) {
  const { value, error, again } = useLoad(`recipients/${name ?? ''}`, async (signal) =>
    name === null ? NEW : getTagged<Document>(`/recipients/${encodeURIComponent(name)}`, signal),
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

const NEW = { value: { numbers: [] }, tag: null } as const;

interface FormProps extends EditProps {
  readonly title: string;
  readonly document: Document;
  /** The version that is edited; null: there is none yet. */
  readonly tag: string | null;
}

function Form({ name, taken, title, document, tag, onClose }: FormProps) {
  const [called, setCalled] = useState(name ?? '');
  const [text, setText] = useState(() => document.numbers.map(phoneText).join('\n'));
  const { numbers, wrong } = readNumbers(text);
  const save = async (): Promise<void> => {
    if (wrong.length > 0) throw new Error(t.recipients.wrong(wrong.slice(0, 3).join(', ')));
    if (tag === null && taken.includes(called)) throw new Error(t.recipients.taken(called));
    // Whoever changed it in between is not overwritten.
    const headers = tag === null ? {} : { 'if-match': tag };
    await ask('PUT', `/recipients/${encodeURIComponent(called)}`, {
      body: { ...document, numbers },
      headers,
    });
    toast(t.recipients.saved(called));
  };
  return (
    <Confirm title={title} action={t.recipients.save(numbers.length)} onConfirm={save} onClose={onClose}>
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
        error={wrong.length > 0 ? t.recipients.wrong(wrong.slice(0, 3).join(', ')) : undefined}
        rows={10}
        value={text}
        onInput={setText}
      />
    </Confirm>
  );
}
