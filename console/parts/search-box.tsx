import { useEffect, useState } from 'preact/hooks';
import { readDialled, readDocumentNumber } from '../../src/phone/dialled.ts';
import { phoneText } from '../lib/format.ts';
import { go } from '../lib/router.ts';
import { t } from '../texts/texts.ts';
import { Button } from '../ui/basics.tsx';
import { SearchField } from '../ui/form.tsx';
import { useMay, For } from '../ui/session.tsx';

type Search =
  | { readonly is: 'nothing' }
  | { readonly is: 'event' | 'message'; readonly id: string }
  /** A number, in the gateway's digits. `isWhole` false: without its country code, so only the relay knows whose it is. */
  | { readonly is: 'phone'; readonly phone: string; readonly isWhole: boolean }
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'short' };

const [FEWEST_DIGITS, MOST_DIGITS] = [7, 15];

/** The relay searches payloads for no fewer characters. */
const SHORTEST = 3;

export function readSearch(typed: string): Search {
  const text = typed.trim();
  if (text === '') return { is: 'nothing' };
  const id = text.toLowerCase();
  // An event that a replay of many made has a longer one.
  if (/^evt_[0-9a-z]{26,64}$/.test(id)) return { is: 'event', id };
  if (/^msg_[0-9a-z]{16}$/.test(id)) return { is: 'message', id };
  const dialled = readDialled(text);
  const digits = dialled.ok ? dialled.value.replace(/^(?:\+|00)/, '').length : 0;
  if (digits >= FEWEST_DIGITS && digits <= MOST_DIGITS) {
    const number = readDocumentNumber(text);
    return { is: 'phone', phone: number.ok ? number.value : text, isWhole: number.ok };
  }
  return text.length < SHORTEST ? { is: 'short' } : { is: 'text', text };
}

interface SearchBoxProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onPhone: (phone: string, isWhole: boolean) => void;
}

/** The search of events and messages: an id is gone to, a number filters messages, other text searches payloads. */
export function SearchBox({ text, onText, onPhone }: SearchBoxProps) {
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  const canGuess = useMay('operator');
  const meant = readSearch(typed);
  const isRefused = !canGuess && (meant.is === 'phone' || meant.is === 'text');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isRefused) return;
    if (meant.is === 'event') go(`/events/${meant.id}`);
    else if (meant.is === 'message') go(`/messages/${meant.id}`);
    else if (meant.is === 'phone') onPhone(meant.phone, meant.isWhole);
    else if (meant.is === 'text') onText(meant.text);
    else if (meant.is === 'nothing') onText('');
  };
  const isNews = typed.trim() !== text;
  const hint = isRefused ? t.events.hints.noText : isNews ? hintOf(meant) : '';
  return (
    <form class="search-box" role="search" onSubmit={submit}>
      <SearchField
        label={t.common.search}
        placeholder={canGuess ? t.events.searchHelp : t.events.searchIds}
        value={typed}
        onInput={(value) => {
          setTyped(value);
          // The little cross of the field.
          if (value === '' && text !== '') onText('');
        }}
      />
      <Button type="submit" icon="search" label={t.common.search} />
      {hint !== '' && <p class="whole help">{hint}</p>}
    </form>
  );
}

function hintOf(meant: Search): string {
  if (meant.is === 'nothing') return '';
  return meant.is === 'phone'
    ? t.events.hints.phone(meant.isWhole ? phoneText(meant.phone) : meant.phone)
    : t.events.hints[meant.is];
}

interface FindBoxProps {
  readonly number: string;
  readonly help?: string;
  readonly onFind?: (number: string) => void;
}

export function FindBox({ number, help = t.find.help, onFind }: FindBoxProps) {
  const [typed, setTyped] = useState(number);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const found = typed.trim();
    if (onFind !== undefined) onFind(found);
    else if (found !== '') go('/search', { number: found });
  };
  return (
    <For role="operator">
      <form class="search-box find-box" role="search" onSubmit={submit}>
        <SearchField label={t.find.number} placeholder={help} value={typed} onInput={setTyped} />
        <Button type="submit" icon="search" label={t.find.submit} />
      </form>
    </For>
  );
}
