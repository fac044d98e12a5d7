import { DEFAULT_ACCOUNT_NAME } from '../../config/secrets/credential-names.ts';
import type { CheckStatus, ShownCheck } from './api-check.ts';
import type { DoctorCode } from '../../lib/api-codes.ts';
import { describeError } from '../../lib/log.ts';

/** By the first part of a check's id: true if its detail quotes a gateway or a person. Viewers do not see it then. */
const QUOTES = {
  access: false,
  account: true,
  accounts: false,
  clock: false,
  config: false,
  'config-copy': false,
  gateway: true,
  'gateway-url': false,
  'on-call': false,
  rejections: false,
  secret: false,
  secrets: false,
  source: false,
  sources: false,
  'viewer-sees': false,
} as const;

type CheckName = keyof typeof QUOTES;
export type CheckId = CheckName | `${CheckName}:${string}`;

/** Its id stays the same from call to call. Its texts contain no secret, phone number or payload. */
export interface Check extends Omit<ShownCheck, 'id'> {
  readonly id: CheckId;
}

export type Find = (
  status: CheckStatus,
  code: DoctorCode,
  detail: string,
  more?: {
    readonly params?: Readonly<Record<string, string | number>> | undefined;
    readonly remedy?: string | undefined;
  },
) => Check;

export const findingOf =
  (id: CheckId, title: string): Find =>
  (status, code, detail, { params, remedy } = {}) => ({
    id,
    status,
    title,
    code,
    ...(params && { params: textsOf(params) }),
    detail,
    ...(remedy !== undefined && { remedy }),
  });

const textsOf = (params: Readonly<Record<string, string | number>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));

/** Runs one group of checks. If it fails, that is a finding: the other checks are needed even more then. */
export async function guarded(
  id: CheckName,
  title: string,
  look: () => Promise<readonly Check[]>,
): Promise<readonly Check[]> {
  try {
    return await look();
  } catch (thrown) {
    const detail = `could not be checked: ${describeError(thrown).slice(0, 200)}`;
    return [findingOf(id, title)('unknown', 'not-checked', detail)];
  }
}

/** Of an account without an escape channel: it says only what the document lacks. */
const OWN_WORDS = /^account:[^:]*:no-escape$/;

const quoting = new Map<string, boolean>(Object.entries(QUOTES));

/** True if viewers must not see the detail. If a check could not be made, its detail quotes the error. */
export const isQuoting = ({ id, status }: ShownCheck): boolean =>
  status === 'unknown' || (quoting.get(id.split(':', 1).join()) !== false && !OWN_WORDS.test(id));

export const count = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`;

const STEPS = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
] as const;

export function span(ms: number): string {
  const [size, unit] = STEPS.find(([step]) => ms >= step) ?? [1_000, 'second'];
  return count(Math.max(0, Math.floor(ms / size)), unit);
}

/** The end of a title. It is empty for the default account, which is the only one of most deployments. */
export const ofAccount = (account: string): string =>
  account === DEFAULT_ACCOUNT_NAME ? '' : ` (${account})`;
