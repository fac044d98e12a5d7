import { DEFAULT_ACCOUNT_NAME } from '../../config/secrets/credential-names.ts';
import type { CheckStatus, ShownCheck } from './api-check.ts';
import type { DoctorCode } from '../../lib/api-codes.ts';
import { describeError } from '../../lib/log.ts';
import { DAY, HOUR, MINUTE } from '../../lib/time.ts';
import { words } from '../../registry/view.ts';

/** The first parts of ids of checks whose detail quotes a gateway or a person: viewers do not see it. */
type Quoting = 'account' | 'gateway';

/** Those of the others. */
const PLAIN = {
  ...words('access', 'accounts', 'clock', 'config', 'config-copy', 'gateway-url', 'on-call', 'rejections'),
  ...words('secret', 'secrets', 'source', 'sources', 'viewer-sees'),
};

type CheckName = Quoting | keyof typeof PLAIN;
export type CheckId = CheckName | `${CheckName}:${string}`;

/** Its id stays the same from call to call. Its texts contain no secret, phone number or payload. */
export interface Check extends Omit<ShownCheck, 'id'> {
  readonly id: CheckId;
}

interface Finding {
  readonly detail: string;
  readonly params?: Readonly<Record<string, string | number>> | undefined;
  readonly remedy?: string | undefined;
}

export const findingOf =
  (id: CheckId, title: string) =>
  (status: CheckStatus, code: DoctorCode, { detail, params, remedy }: Finding): Check => ({
    id,
    status,
    title,
    code,
    ...(params && {
      params: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)])),
    }),
    detail,
    ...(remedy !== undefined && { remedy }),
  });

/** Runs one group of checks. If it fails, that is a finding: the other checks are needed even more then. */
export async function guarded(id: CheckName, title: string, look: () => Promise<readonly Check[]>) {
  try {
    return await look();
  } catch (thrown) {
    const detail = `could not be checked: ${describeError(thrown).slice(0, 200)}`;
    return [findingOf(id, title)('unknown', 'not-checked', { detail })];
  }
}

/** Of an account without an escape channel: it says only what the document lacks. */
const OWN_WORDS = /^account:[^:]*:no-escape$/;

/** True if viewers must not see the detail. If a check could not be made, its detail quotes the error. */
export const isQuoting = ({ id, status }: ShownCheck): boolean =>
  status === 'unknown' || (!Object.hasOwn(PLAIN, id.split(':', 1).join()) && !OWN_WORDS.test(id));

export const count = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`;

const UNITS = { day: DAY, hour: HOUR, minute: MINUTE, second: 1_000 };

export function span(ms: number): string {
  const [unit, size] = Object.entries(UNITS).find(([, step]) => ms >= step) ?? ['second', 1_000];
  return count(Math.max(0, Math.floor(ms / size)), unit);
}

/** The end of a title. It is empty for the default account, which is the only one of most deployments. */
export const ofAccount = (account: string) => (account === DEFAULT_ACCOUNT_NAME ? '' : ` (${account})`);
