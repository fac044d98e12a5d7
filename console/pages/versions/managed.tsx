import { useState } from 'preact/hooks';
import { post } from '../../api/client.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Button, Time } from '../../ui/basics.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/form.tsx';
import { For } from '../../ui/session.tsx';
import { toast } from '../../ui/toast.tsx';

/** The mark of a configuration that is kept in git: since when, and by whom. */
export interface ManagedMark {
  readonly by: string;
  readonly at: string;
}

/** The mark in a page of versions; null: the set is not managed. */
export const markIn = (page: object & { readonly managed?: ManagedMark | null }): ManagedMark | null =>
  page.managed ?? null;

/** Says that publishes from here are refused, and lets an editor take over by name. */
export function Managed({ mark, again }: { mark: ManagedMark; again: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  return (
    <div class="versions-managed">
      <Badge tone="busy">{t.versions.managed}</Badge>
      <p class="grow">
        {t.versions.managedText(mark.by)} <Time at={mark.at} />
      </p>
      <For role="editor">
        <Button onClick={() => setOpen(true)}>{t.versions.takeOver}</Button>
      </For>
      {isOpen && (
        <Confirm
          title={t.versions.takeOver}
          action={t.versions.takeOver}
          isDangerous
          onClose={() => setOpen(false)}
          onConfirm={async () => {
            await post('/config/takeover', { name });
            toast(t.versions.takenOver);
            again();
          }}
        >
          <p>{t.versions.takeOverText}</p>
          <TextField label={t.versions.yourName} value={name} onInput={setName} autoComplete="name" />
        </Confirm>
      )}
    </div>
  );
}
