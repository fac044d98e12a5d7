import { describe, expect, it } from 'vitest';
import { providers } from '../../src/provider/catalog/catalog.ts';
import { changedBy, keyOfBody, type SignedBody } from '../../src/provider/signed-body.ts';

const facts = (payload: unknown) => ({ payload, headers: new Headers(), query: new URLSearchParams() });

const keyOf = (
  body: Partial<SignedBody>,
  payload: unknown,
  { type = null, isJson = true }: { readonly type?: string | null; readonly isJson?: boolean } = {},
): string | null => keyOfBody(body, 'digest', { type, facts: facts(payload), isJson });

describe('what a signed body is claimed by', () => {
  it('is its digest', () => {
    expect(keyOf({}, { id: 1 })).toBe('digest');
    expect(keyOf({}, null, { type: 'order.created', isJson: false })).toBe('digest');
  });

  it('has the type with it where one body is posted under several, and all other types are as one', () => {
    const types = ['order.created', 'order.updated'];
    const of = (type: string | null) => keyOf({ types }, {}, { type });
    expect(new Set([...types, 'invented'].map(of)).size).toBe(3);
    expect([of('other'), of(null)]).toEqual([of('invented'), of('invented')]);
  });

  it('is nothing unless all conditions of a list hold: the sender may post such a body again', () => {
    const changing = [[{ at: 'body:at' }], ...changedBy(['body:issue.at'], ['closed', 'labeled'])] as const;
    for (const body of [{ at: 1 }, { action: 'closed', issue: { at: 1 } }])
      expect(keyOf({ changing }, body)).toBe('digest');
    for (const body of [{}, { action: 'pinned', issue: { at: 1 } }, { action: 'closed', issue: {} }])
      expect(keyOf({ changing }, body)).toBeNull();
  });

  it('is not left out for what was read as anything but JSON, which a stranger may have chosen', () => {
    expect(keyOf({ changing: [[{ at: 'body:at' }]] }, { a: '1' }, { isJson: false })).toBe('digest');
  });
});

const USER = { login: 'ada', id: 1 };
const AT = '2026-01-05T08:30:00Z';
const REPOSITORY = { id: 7, pushed_at: 1, updated_at: AT };

it.each<[string, readonly object[], readonly object[]]>([
  [
    'github',
    [
      { action: 'blocked', blocked_user: USER, organization: { login: 'shop' } },
      { action: 'created', label: { id: 1, name: 'bug' }, repository: REPOSITORY },
      { action: 'archived', repository: REPOSITORY },
      { action: 'member_added', membership: { user: USER } },
      { action: 'created', sponsorship: { created_at: AT } },
      { action: 'rerequested', check_suite: { id: 1, updated_at: AT } },
      { action: 'resolved', thread: { comments: [] }, pull_request: { updated_at: AT } },
      { ref: 'v1', ref_type: 'tag', repository: REPOSITORY },
      { ref: 'main', workflow: 'deploy', inputs: null, repository: REPOSITORY },
    ],
    [
      { ref: 'refs/heads/main', before: 'a', after: 'b', repository: REPOSITORY },
      { action: 'closed', issue: { updated_at: AT }, repository: REPOSITORY },
      { action: 'completed', workflow_run: { id: 1, run_attempt: 2 }, repository: REPOSITORY },
      { action: 'created', starred_at: AT, repository: REPOSITORY },
    ],
  ],
  [
    'bitbucket',
    [{ push: { changes: [] } }, { pullrequest: {}, comment: {} }],
    [{ date: AT }, { pullrequest: {} }],
  ],
  [
    'gitea',
    [
      { action: 'edited', page: 'Home' },
      { ref: 'v1', sha: 'a' },
    ],
    [{ action: 'opened', issue: {} }],
  ],
  [
    'sentry',
    [
      { action: 'critical', data: { metric_alert: {} } },
      { action: 'resolved', data: { issue: { id: '1' } } },
    ],
    [{ action: 'triggered', data: { event: { event_id: 'a' } } }],
  ],
  [
    'shopify',
    [{ myshopify_domain: 'a.myshopify.com', updated_at: AT }, { product_id: 1, updated_at: AT }, { id: 1 }],
    [
      { id: 1, updated_at: AT },
      { id: 1, order_id: 2, created_at: AT },
    ],
  ],
  [
    'woocommerce',
    [{ id: 1 }, { action: 'added_to_cart', arg: 'k' }],
    [{ id: 1, status: 'paid', date_modified: AT }],
  ],
])('of %s is claimed only if it is known to hold a time or a counter', (id, repeated, changing) => {
  const { signed_body: signed } = providers.get(id) ?? {};
  const claimed = (body: object): boolean => signed !== undefined && keyOf(signed, body) !== null;
  expect([repeated.filter(claimed), changing.filter((body) => !claimed(body))]).toEqual([[], []]);
});
