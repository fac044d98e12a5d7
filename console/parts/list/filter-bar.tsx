import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useIsNarrow } from '../../lib/media.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/basics.tsx';
import { SelectField, TextField, useSettled } from '../../ui/form.tsx';

interface FilterBarProps {
  /** The number of set filters. */
  readonly count: number;
  readonly onClear: () => void;
  readonly search: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The search of a list, and its filters below it; on a phone these are shown when they are asked for. */
export function FilterBar({ count, onClear, search, children }: FilterBarProps) {
  const isNarrow = useIsNarrow();
  const [isOpen, setOpen] = useState(count > 0);
  const isShown = !isNarrow || isOpen;
  return (
    <div class="below filter-bar">
      <div class="line filter-first">
        {search}
        {isNarrow && (
          <button type="button" class="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {t.events.filters(count)}
          </button>
        )}
      </div>
      {isShown && (
        <div class="flow filters">
          {children}
          {count > 0 && (
            <Button look="quiet" icon="close" onClick={onClear}>
              {t.common.clearFilters}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

interface FilterProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

/** One of a few values. Another value in the address is shown, too, since it is in force. */
export const FilterChoice = ({
  label,
  value = '',
  options,
  onChange,
}: FilterProps & { readonly options: readonly (readonly [string, string])[] }) => (
  <SelectField
    label={label}
    value={value}
    options={[
      ['', t.common.all],
      ...options,
      ...(value === '' || options.some(([one]) => one === value) ? [] : [[value, value] as const]),
    ]}
    onChange={onChange}
  />
);

/** Any text; it is in force once nobody types any more. */
export function FilterText({
  label,
  value = '',
  placeholder,
  onChange,
}: FilterProps & { readonly placeholder?: string }) {
  const [typed, setTyped] = useState(value);
  const settled = useSettled(typed.trim(), 400);
  const set = useRef(onChange);
  set.current = onChange;
  // Also when it is taken away elsewhere.
  useEffect(() => setTyped((old) => (old.trim() === value ? old : value)), [value]);
  useEffect(() => {
    if (settled !== value && settled === typed.trim()) set.current(settled);
  }, [settled]);
  return (
    <TextField
      label={label}
      value={typed}
      onInput={setTyped}
      {...(placeholder !== undefined && { placeholder })}
    />
  );
}
