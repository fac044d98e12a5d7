import type { Source } from '../../config/compiled/config.ts';
import { isOpen } from '../../config/compiled/source-limit.ts';

/** Says how a source's webhooks become small enough: by a setting of its sender, or by a proof of it. */
export function sizeAdvice({ provider, verify }: Pick<Source, 'provider' | 'verify'>): string {
  const { name, size_setting: setting } = provider;
  const smaller =
    setting === undefined
      ? 'Have the sender post less at once: fewer items or fields, no attachments.'
      : `At ${name}, ${setting}.`;
  return isOpen(verify)
    ? `${smaller} A source that proves its sender, by a signature, a password or a token in a header, may post 4 MiB.`
    : smaller;
}
