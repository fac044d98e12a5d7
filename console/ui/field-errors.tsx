import type { ProblemAnswer } from '../api/types.ts';
import { faultText } from '../texts/said.ts';
import { Coded } from './said.tsx';

type Answered = NonNullable<ProblemAnswer['errors']>[number];
/** Without a code, the message is the console's own. */
export type FieldErrorAnswer = Omit<Answered, 'code'> & Partial<Pick<Answered, 'code'>>;

/** Errors and warnings of the API, each at its path. */
export const FieldErrors = ({
  errors,
  tone = 'bad',
}: {
  errors: readonly FieldErrorAnswer[];
  tone?: 'bad' | 'warn';
}) =>
  errors.length === 0 ? null : (
    <ul class={`note field-errors ${tone}`}>
      {errors.map((error) => (
        <li key={`${error.path} ${error.message}`}>
          {error.path !== '' && <code>{error.path}</code>} <Coded text={faultText(error)} />
        </li>
      ))}
    </ul>
  );
