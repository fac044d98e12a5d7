import { useState } from 'preact/hooks';
import { NAME } from '../../../src/config/documents/name.ts';
import { KIND_NAMES } from '../../../src/gateway/kinds.ts';
import { go } from '../../lib/router.ts';
import { kindName } from '../../parts/message/words.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/basics.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/form.tsx';

/** Asks for the name and kind of a template; it is written, and only then published, on its own page. */
export function NewTemplate({ taken, onClose }: { taken: readonly string[]; onClose: () => void }) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState('text');
  const [error, setError] = useState<string>();
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!NAME.test(name)) setError(t.templates.badName);
    else if (taken.includes(name)) setError(t.templates.takenName);
    else go(`/templates/${name}`, { kind });
  };
  return (
    <Dialog title={t.templates.add} onClose={onClose}>
      <form class="dialog-body" onSubmit={submit}>
        <TextField
          label={t.templates.name}
          value={name}
          onInput={(text) => {
            setName(text.trim());
            setError(undefined);
          }}
          help={t.templates.nameHelp}
          error={error}
          autoFocus
        />
        <SelectField
          label={t.templates.kind}
          value={kind}
          options={KIND_NAMES.map((one) => [one, kindName(one)] as const)}
          onChange={setKind}
        />
        <footer class="dialog-foot">
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button look="main" type="submit">
            {t.templates.write}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
