import * as z from 'zod/mini';
import { issueErrors } from '../../config/documents/issues.ts';
import { strictDocument, wholeNumber, oneOf, readAs } from '../../schema/parts.ts';
import { readBody, BODY_CUT_OFF, BODY_TOO_LARGE } from '../../ingest/request/receive.ts';
import { parseJson } from '../../ingest/parse/json.ts';
import { decodeText } from '../../ingest/parse/text.ts';
import {
  problemResponse,
  type Fault,
  type FieldError,
  fieldError,
  NOT_FOUND,
  UNAVAILABLE,
  type ProblemKind,
} from '../../lib/problem.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { parseSince } from '../../lib/time.ts';
import type { Page } from '../../outbox/read/read.ts';
import { readDocumentNumber } from '../../phone/dialled.ts';
import { NOT_ACCEPTED, STORAGE_FULL } from '../../ingest/accept/accept.ts';

/** The size of the largest set with its source files, and a little for the JSON around them. */
const MAX_INPUT_BYTES = 3_000_000;

/** The size of the largest body without a login. Such a body has a token or a code. */
export const MAX_PUBLIC_BYTES = 8_192;

export async function readJson(request: Request, maxBytes = MAX_INPUT_BYTES) {
  const body = await readBody(request, maxBytes);
  if (!body.ok) return err(problemResponse(body.error));
  const text = decodeText(body.value);
  const parsed = text.ok ? parseJson(text.value, 'The body') : text;
  if (parsed.ok) return parsed;
  const { detail } = parsed.error;
  return err(problemResponse({ ...REFUSALS['malformed-body'], detail }));
}

export const invalid = (errors: readonly FieldError[], detail = 'The request is not valid.'): Response =>
  problemResponse({ ...REFUSALS.invalid, detail, errors });

export const invalidField = (path: string, ...fault: Fault) => invalid([fieldError(path, ...fault)]);

export function check<Output>(schema: z.core.$ZodType<Output>, input: unknown): Result<Output, Response> {
  const result = z.safeParse(schema, input, { reportInput: true });
  if (result.success) return ok(result.data);
  return err(invalid(result.error.issues.flatMap((issue) => issueErrors('', issue))));
}

/** Checks the parameters of a query. An unknown one is an error, since a misspelt filter would show everything. */
export function checkQuery<Shape extends z.core.$ZodShape>(shape: Shape, search: URLSearchParams) {
  const given = Object.fromEntries(search);
  const repeated = Object.keys(given).filter((name) => search.getAll(name).length > 1);
  if (repeated.length > 0)
    return err(invalid(repeated.map((path) => fieldError(path, 'duplicate', 'must be given once'))));
  return check(strictDocument(shape), given);
}

const toNumber = z.transform((text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : text));
const queryNumber = (min: number, max: number) => z.pipe(z.pipe(z.string(), toNumber), wholeNumber(min, max));

export const versionNumber = queryNumber(1, Number.MAX_SAFE_INTEGER);

/** A moment as ISO 8601, or as a duration ago (`2h`). Its value is in ms. */
export const moment = readAs(z.string({ error: 'must be text' }), (text) => {
  const at = parseSince(text, Date.now());
  const malformed = 'must be a time such as 2026-01-31T12:00:00Z, or a duration ago such as 2h';
  return Number.isNaN(at) ? err(malformed) : ok(at);
});

export const conflict = (detail: string): Response => problemResponse({ ...REFUSALS.conflict, detail });

export const notFound = (what: string): Response =>
  problemResponse({ ...REFUSALS['not-found'], detail: `There is no ${what}.` });

/** A cursor of a list over several outboxes has a position in each of them. Cloudflare limits addresses to 16 KB. */
const MAX_CURSOR = 15_000;

export const [MIN_LIMIT, MAX_LIMIT, LIMIT] = [1, 200, 50] as const;

export const pageParams = {
  limit: z._default(queryNumber(MIN_LIMIT, MAX_LIMIT), LIMIT),
  cursor: z.optional(
    z.string().check(z.maxLength(MAX_CURSOR, { error: `must have at most ${MAX_CURSOR} characters` })),
  ),
};

export const numberCursor = z.optional(queryNumber(1, Number.MAX_SAFE_INTEGER));

export const numberedQuery = { ...pageParams, cursor: numberCursor };

/** Returns the page of a list. Without a page, the cursor is not of this list: returns that problem. */
export const pageOr = <Found>(page: Found | null): Found | Response => page ?? wrongCursor();

export const wholeList = <Item>(items: readonly Item[]): Page<Item> => ({ items, next_cursor: null });

/** Makes a page of `limit` numbered items. `found` has one item more if another page follows. */
export function numberedPage<Item>(found: readonly Item[], limit: number, numberOf: (item: Item) => number) {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, next_cursor: found.length > limit && last !== undefined ? String(numberOf(last)) : null };
}

/** The maximum number of receivers in one response. The console adds up the receivers of all steps. */
export const MAX_PHONES = 2_000;

export const bulkQuery = { dry_run: z.optional(oneOf(['true', 'false'])) };

/** Stores all spellings of a number as one. A text that is not a number, such as a chat's `-100123`, is an address. */
export function asStored(written: string): string {
  const read = readDocumentNumber(written);
  return read.ok && !written.startsWith('-') ? read.value : written;
}

export const messageFilter = {
  source: z.optional(z.string({ error: 'must be the id of a source' })),
  event: z.optional(z.string({ error: 'must be the id of an event' })),
  phone: z.optional(z.pipe(z.string({ error: 'must be a number: digits, as text' }), z.transform(asStored))),
};

const OF_PREVIOUS = 'must be the `next_cursor` of the previous response';

export const bulkCursor = z.optional(z.string({ error: OF_PREVIOUS }));

/** Required if there is no filter, since a forgotten filter would match everything. `what` names everything. */
export const bulkAll = (what: string) => z.optional(z.literal(true, { error: `must be true: ${what}` }));

/** Refuses a request that has neither a filter nor `all`, or both. `filters`: their names. */
export function unclear(filter: object, all: true | undefined, filters: string): Response | null {
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  if (isFiltered !== (all === true)) return null;
  return isFiltered
    ? invalidField('all', 'conflict', 'must not be combined with a filter')
    : invalidField('all', 'required', `must be true if no filter is given: ${filters}`);
}

export const wrongCursor = () => invalidField('cursor', 'malformed', OF_PREVIOUS);

const UNAUTHORIZED = {
  status: 401,
  type: 'unauthorized',
  title: 'Unauthorized',
  headers: { 'www-authenticate': 'Bearer realm="hookbell admin"' },
} as const satisfies ProblemKind;

/** The code that refuses adds a `detail` if there is none. `api-docs/problems.ts` describes all, or does not compile. */
export const REFUSALS = {
  'malformed-body': { status: 400, type: 'malformed-body', title: 'Malformed body' },
  'body-cut-off': BODY_CUT_OFF,
  'invalid-if-match': { status: 400, type: 'invalid', title: 'Invalid' },
  unauthorized: {
    ...UNAUTHORIZED,
    detail: 'Send a token as `Authorization: Bearer …`, or sign in: at /admin, or through Cloudflare Access.',
  },
  'sign-in-failed': {
    ...UNAUTHORIZED,
    detail:
      'The token is wrong, or the code was used or is older than 10 minutes. `npx hookbell console` prints a new link.',
  },
  'role-required': { status: 403, type: 'role-required', title: 'Role required' },
  'admin-closed': { status: 403, type: 'admin-closed', title: 'The admin API is closed' },
  'cross-site': {
    status: 403,
    type: 'cross-site',
    title: 'Cross-site request',
    detail: 'Send this from a page on this host, with its `Origin`, or with the admin token.',
  },
  'not-found': NOT_FOUND,
  'in-use': { status: 409, type: 'in-use', title: 'In use' },
  managed: { status: 409, type: 'managed', title: 'Managed' },
  conflict: { status: 409, type: 'conflict', title: 'Conflict' },
  'precondition-failed': { status: 412, type: 'precondition-failed', title: 'Precondition failed' },
  'body-too-large': BODY_TOO_LARGE,
  'too-large': { status: 413, type: 'too-large', title: 'Too large' },
  invalid: { status: 422, type: 'invalid', title: 'Invalid' },
  'invalid-configuration': { status: 422, type: 'invalid-configuration', title: 'Invalid configuration' },
  'too-many-failures': { status: 429, type: 'too-many-failures', title: 'Too many failed logins' },
  'not-accepted': NOT_ACCEPTED,
  'storage-full': STORAGE_FULL,
  'access-unavailable': {
    status: 503,
    type: 'access-unavailable',
    title: 'Cloudflare Access is unavailable',
    detail: 'The keys of your Access team could not be fetched. Try again.',
    headers: { 'retry-after': '5' },
  },
  unavailable: UNAVAILABLE,
} as const satisfies Readonly<Record<string, ProblemKind>>;
