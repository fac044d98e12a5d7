import { err, ok, type Result } from '../../lib/result.ts';
import { decodeUtf8 } from '../../signature/basics/encoding.ts';
import { unescaped } from './form.ts';
import { malformed, type ParseRefusal } from './refusal.ts';

const PERCENT = 0x25;

/** Checks that a query is text: the platform reads it as UTF-8, and hides what is none behind replacement characters. */
export function checkQuery({ search }: URL): Result<null, ParseRefusal> {
  if (!search.includes('%')) return ok(null);
  const place = search
    .slice(1)
    .split('&')
    .findIndex((one) => decodeUtf8(unescaped(new TextEncoder().encode(one), PERCENT)) === null);
  return place < 0
    ? ok(null)
    : err(
        malformed(
          `Parameter ${place + 1} of the query is not valid utf-8. Write the address in UTF-8, such as \`%C3%A4\` for ä.`,
        ),
      );
}
