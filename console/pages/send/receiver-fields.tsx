import { countryOptions } from '../../lib/countries.ts';
import { number, phoneText } from '../../lib/format.ts';
import { language, t } from '../../texts/texts.ts';
import { SelectField, TextField } from '../../ui/form.tsx';
import { receiversOf, type Receivers } from '../recipients/receivers.ts';
import type { ReadNumbers } from '../../ui/numbers.ts';

export interface RecipientsList extends Receivers {
  readonly name: string;
}

/** The numbers of a list: its people without one are reached by their addresses only. */
export const numbersOf = (list: Receivers): readonly string[] =>
  receiversOf(list).flatMap(({ phone }) => phone ?? []);

interface ReceiverFieldsProps {
  readonly lists: readonly RecipientsList[];
  readonly list: string;
  readonly to: string;
  readonly country: string;
  readonly numbers: ReadNumbers;
  readonly errorAt: (field: string) => string | undefined;
  readonly onList: (list: string) => void;
  readonly onTo: (to: string) => void;
  readonly onCountry: (country: string) => void;
}

/** A number, or a list of them. */
export const ReceiverFields = ({
  lists,
  list,
  to,
  country,
  numbers,
  errorAt,
  onList,
  onTo,
  onCountry,
}: ReceiverFieldsProps) => (
  <div class="send-receiver">
    {lists.length > 0 && (
      <SelectField
        label={t.send.receivers}
        value={list}
        options={[
          ['', t.send.aNumber],
          ...lists.map(
            (one) => [one.name, t.send.listOption(one.name, number(numbersOf(one).length))] as const,
          ),
        ]}
        onChange={onList}
      />
    )}
    {list === '' && (
      <>
        <TextField
          label={t.send.to}
          type="tel"
          value={to}
          onInput={onTo}
          placeholder="+49 151 12345678"
          help={
            !numbers.isReading && numbers.digits.length > 0
              ? t.send.readAs(numbers.digits.map(phoneText).join(', '))
              : t.send.toHelp
          }
          error={errorAt('to')}
        />
        <SelectField
          label={t.send.country}
          value={country}
          options={[['', t.send.noCountry], ...countryOptions(language)]}
          onChange={onCountry}
        />
      </>
    )}
  </div>
);
