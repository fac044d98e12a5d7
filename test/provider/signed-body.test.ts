import { describe, expect, it } from 'vitest';
import { providers } from '../platform/providers.ts';
import { keyOfBody, type Provider } from '../../src/provider/provider.ts';

const facts = (payload: unknown) => ({ payload, headers: new Headers(), query: new URLSearchParams() });

const keyOf = (
  body: Partial<NonNullable<Provider['signed_body']>>,
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
    const changing = [
      [{ at: 'body:at' }],
      ...['closed', 'labeled'].map(
        (equals) => [{ at: 'body:issue.at' }, { at: 'body:action', equals }] as const,
      ),
    ] as const;
    for (const body of [{ at: 1 }, { action: 'closed', issue: { at: 1 } }])
      expect(keyOf({ changing }, body)).toBe('digest');
    for (const body of [{}, { action: 'pinned', issue: { at: 1 } }, { action: 'closed', issue: {} }])
      expect(keyOf({ changing }, body)).toBeNull();
  });

  it('is not left out for what was read as anything but JSON, which a stranger may have chosen', () => {
    expect(keyOf({ changing: [[{ at: 'body:at' }]] }, { a: '1' }, { isJson: false })).toBe('digest');
  });
});

/** Bodies of providers, by whether they are known to hold a time or a counter (+) or may come again (-). */
const BODIES = `
- github {"action":"blocked","blocked_user":{"id":1},"organization":{"id":2}}
- github {"action":"created","label":{"id":1},"repository":{"pushed_at":1,"updated_at":"T"}}
- github {"action":"archived","repository":{"pushed_at":1,"updated_at":"T"}}
- github {"action":"member_added","membership":{"user":{"id":1}}}
- github {"action":"created","sponsorship":{"created_at":"T"}}
- github {"action":"resolved","thread":{},"pull_request":{"updated_at":"T"}}
- github {"action":"go","branch":"main","client_payload":{}}
- github {"ref":"main","workflow":"deploy","inputs":null,"repository":{"pushed_at":1}}
+ github {"ref":"refs/heads/main","after":"b","repository":{"pushed_at":1}}
+ github {"action":"closed","issue":{"updated_at":"T"}}
+ github {"action":"completed","workflow_run":{"run_attempt":2}}
- bitbucket {"push":{"changes":[]}}
- bitbucket {"pullrequest":{},"comment":{}}
+ bitbucket {"date":"T"}
- gitea {"action":"edited","page":"Home"}
- sentry {"action":"resolved","data":{"issue":{"id":"1"}}}
- sentry {"action":"critical","data":{"metric_alert":{}}}
+ sentry {"action":"triggered","data":{"event":{"event_id":"a"}}}
- shopify {"myshopify_domain":"a.myshopify.com","updated_at":"T"}
- shopify {"product_id":1,"updated_at":"T"}
+ shopify {"id":1,"order_id":2,"created_at":"T"}
- woocommerce {"id":1}
- woocommerce {"action":"added_to_cart","arg":"k"}
`;

it('a body is claimed only if it is known to hold a time or a counter', () => {
  for (const [line, sign, id = '', body = ''] of BODIES.matchAll(/^([+-]) (\S+) (.*)$/gm)) {
    const isClaimed = keyOf(providers.get(id)?.signed_body ?? {}, JSON.parse(body)) !== null;
    expect([line, isClaimed]).toEqual([line, sign === '+']);
  }
});
