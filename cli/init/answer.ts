import type { Result } from '../../src/lib/result.ts';
import type { Ask } from '../ask.ts';
import { misused, type CommandResult } from '../failure.ts';

interface Question<T> {
  readonly message: string;
  readonly initial: string;
  /** Returns the meaning of an answer, or its error. */
  readonly read: (text: string) => Result<T, string>;
}

/** The given value, else a person's answer, else the likely value. */
export async function answer<T>(
  given: string | undefined,
  ask: Ask | null,
  { message, initial, read }: Question<T>,
): Promise<CommandResult<T>> {
  let text = given ?? initial;
  if (given === undefined && ask !== null) {
    const check = (written: string): string | undefined => {
      const value = read(meant(written));
      return value.ok ? undefined : value.error;
    };
    const written = await ask.text({ message, initial, check });
    if (!written.ok) return written;
    text = meant(written.value);
  }
  const value = read(text);
  return value.ok ? value : misused(`\`${text}\` ${value.error}`);
}

/** Enter takes the likely answer, so `-` means none. */
const meant = (written: string): string => (written.trim() === '-' ? '' : written);
