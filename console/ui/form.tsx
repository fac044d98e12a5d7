import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { ProblemAnswer } from '../api/types.ts';
import { faultsIn, reasonOf } from '../lib/load.ts';
import { faultText } from '../texts/relay-texts.ts';
import { Trouble } from './basics.tsx';
import { Coded } from './text.tsx';

interface FieldProps {
  readonly label: string;
  /** Only for those who hear the page: what it is for is plain to see. */
  readonly isLabelHidden?: boolean;
  readonly help?: ComponentChildren;
  readonly error?: string | undefined;
}

interface TextProps extends FieldProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: 'text' | 'password' | 'search' | 'tel' | 'url' | 'number' | 'time' | 'datetime-local';
  readonly rows?: number;
  readonly placeholder?: string;
  readonly autoComplete?: string;
  readonly autoFocus?: boolean;
}

export function TextField({ value, onInput, rows, ...rest }: TextProps) {
  const id = useId();
  const { help, error } = rest;
  const shared = {
    id,
    value,
    dir: 'auto' as const,
    placeholder: rest.placeholder,
    autocomplete: rest.autoComplete ?? 'off',
    spellcheck: false,
    'aria-invalid': error !== undefined,
    'aria-describedby': help !== undefined || error !== undefined ? `${id}-help` : undefined,
    'data-search': rest.type === 'search' ? '' : undefined,
  };
  const element = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (rest.autoFocus === true) element.current?.focus();
  }, []);
  return (
    <Field id={id} {...rest}>
      {rows === undefined ? (
        <input
          {...shared}
          ref={element}
          {...typeOf(rest.type)}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      ) : (
        <textarea {...shared} rows={rows} onInput={(event) => onInput(event.currentTarget.value)} />
      )}
    </Field>
  );
}

/** The page's search: `/` focuses it. If nothing else is said, its label stands in it. */
export const SearchField = ({ label, placeholder = label, ...rest }: TextProps) => (
  <TextField {...rest} {...{ label, placeholder }} isLabelHidden type="search" />
);

/** Preact's types have a case for each type of input, and none for a choice of them. */
const typeOf = (type: TextProps['type'] = 'text'): { type?: 'text' } => Object.fromEntries([['type', type]]);

interface SelectProps extends FieldProps {
  readonly value: string;
  /** A text alone is its own label. */
  readonly options: readonly (string | readonly [value: string, label: string])[];
  readonly onChange: (value: string) => void;
}

export function SelectField({ value, options, onChange, ...field }: SelectProps) {
  const id = useId();
  return (
    <Field id={id} {...field}>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map((option) => {
          const [value, label = value] = [option].flat();
          return (
            <option key={value} value={value}>
              {label}
            </option>
          );
        })}
      </select>
    </Field>
  );
}

/** Makes the fields of a form, by the names of their values. */
export const fieldsFor = <Name extends string>(
  valueOf: (name: Name) => string,
  change: (name: Name, value: string) => void,
  errorAt: (name: Name) => string | undefined = () => undefined,
) => ({
  text: (name: Name, label: string, more: Partial<TextProps> = {}) => (
    <TextField
      key={name}
      {...{ label, value: valueOf(name), error: errorAt(name), ...more }}
      onInput={(value) => change(name, value)}
    />
  ),
  choice: (name: Name, label: string, options: SelectProps['options'], more: Partial<SelectProps> = {}) => (
    <SelectField
      key={name}
      {...{ label, options, value: valueOf(name), error: errorAt(name), ...more }}
      onChange={(value) => change(name, value)}
    />
  ),
});

interface CheckFieldProps {
  readonly label: string;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
}

export const CheckField = ({ label, value, onChange }: CheckFieldProps) => (
  <label class="check">
    <input type="checkbox" checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />
    <span>{label}</span>
  </label>
);

interface ChoiceProps<Value extends string> {
  readonly legend: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, label: string])[];
  readonly onChange: (value: Value) => void;
}

export const ChoiceField = <Value extends string>({ legend, options, ...props }: ChoiceProps<Value>) => (
  <fieldset class="choice">
    <legend>{legend}</legend>
    {options.map(([one, label]) => (
      <label key={one} class="check">
        <input
          type="radio"
          name="choice"
          checked={one === props.value}
          onChange={() => props.onChange(one)}
        />
        <span>{label}</span>
      </label>
    ))}
  </fieldset>
);

type FieldParts = FieldProps & { readonly id: string; readonly children: ComponentChildren };

const Field = ({ id, label, isLabelHidden = false, help, error, children }: FieldParts) => (
  <div class="field">
    <label for={id} class={isLabelHidden ? 'unseen' : undefined}>
      {label}
    </label>
    {children}
    {(help !== undefined || error !== undefined) && (
      <p id={`${id}-help`} class={error === undefined ? 'help' : 'help error'}>
        {error === undefined ? help : <Coded text={error} />}
      </p>
    )}
  </div>
);

/** The value once nobody has changed it for `ms`: a search asks the server only then. */
export function useSettled<Value>(value: Value, ms = 300): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

type Answered = NonNullable<ProblemAnswer['errors']>[number];
/** Without a code, the message is the console's own. */
export type FieldErrorAnswer = Omit<Answered, 'code'> & Partial<Pick<Answered, 'code'>>;

export const Failed = ({ thrown }: { thrown: unknown }) =>
  thrown === null ? null : (
    <>
      <Trouble error={reasonOf(thrown)} />
      <FieldErrors errors={faultsIn(thrown)} />
    </>
  );

type FieldErrorsProps = { readonly errors: readonly FieldErrorAnswer[]; readonly tone?: 'bad' | 'warn' };

export const FieldErrors = ({ errors, tone = 'bad' }: FieldErrorsProps) =>
  errors.length === 0 ? null : (
    <ul class={`note field-errors ${tone}`}>
      {errors.map((error) => (
        <li key={`${error.path} ${error.message}`}>
          {error.path !== '' && <code>{error.path}</code>} <Coded text={faultText(error)} />
        </li>
      ))}
    </ul>
  );
