import { useState } from 'preact/hooks';
import { go } from '../../lib/router.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/basics.tsx';
import { TextField } from '../../ui/form.tsx';
import { For } from '../../ui/session.tsx';

/** Asks for a number, for those who may see numbers, and goes to all that it is in. */
export function FindBox({ number }: { number: string }) {
  const [typed, setTyped] = useState(number);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (typed.trim() !== '') go('/search', { number: typed.trim() });
  };
  return (
    <For role="operator">
      <form class="search-box find-box" role="search" onSubmit={submit}>
        <TextField
          label={t.find.number}
          isLabelHidden
          isSearch
          type="search"
          placeholder={t.find.help}
          value={typed}
          onInput={setTyped}
        />
        <Button type="submit" icon="search" label={t.find.submit} />
      </form>
    </For>
  );
}
