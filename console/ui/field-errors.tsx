import type { ProblemAnswer } from '../api/types.ts';
import { Said } from './said.tsx';

export type FieldErrorAnswer = NonNullable<ProblemAnswer['errors']>[number];

/** Errors and warnings of the API, each at its path. */
export const FieldErrors = ({
  errors,
  tone = 'bad',
}: {
  errors: readonly FieldErrorAnswer[];
  tone?: 'bad' | 'warn';
}) =>
  errors.length === 0 ? null : (
    <ul class={`field-errors ${tone}`}>
      {errors.map(({ path, message }) => (
        <li key={`${path} ${message}`}>
          {path !== '' && <code>{path}</code>} <Said text={message} />
        </li>
      ))}
    </ul>
  );
