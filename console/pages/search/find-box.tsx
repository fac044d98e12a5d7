import { useState } from 'preact/hooks';
import { go } from '../../lib/router.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/basics.tsx';
import { TextField } from '../../ui/form.tsx';
import { For } from '../../ui/session.tsx';

/** Goes to all that a number is in. */
const findAll = (number: string): void => {
  if (number !== '') go('/search', { number });
};

interface FindBoxProps {
  readonly number: string;
  readonly help?: string;
  readonly onFind?: (number: string) => void;
}

/** Asks for a number, for those who may see numbers. */
export function FindBox({ number, help = t.find.help, onFind = findAll }: FindBoxProps) {
  const [typed, setTyped] = useState(number);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onFind(typed.trim());
  };
  return (
    <For role="operator">
      <form class="search-box find-box" role="search" onSubmit={submit}>
        <TextField
          label={t.find.number}
          isLabelHidden
          isSearch
          type="search"
          placeholder={help}
          value={typed}
          onInput={setTyped}
        />
        <Button type="submit" icon="search" label={t.find.submit} />
      </form>
    </For>
  );
}
