import { describe, expect, it } from 'vitest';
import { faultsOf } from '../../../console/pages/templates/faults.ts';
import { partsOf } from '../../../console/pages/templates/fields.ts';

const message = 'Hi {{ payload.a }}\n{{ payload.x | truncat }} {{ payload.a }} {{ payload.ab }}';
const fields = partsOf({ kind: 'text', message }).flatMap((part) => part.fields);
const find = (findings: Partial<Parameters<typeof faultsOf>[0]>) =>
  faultsOf({ errors: [], failures: [], warnings: [], ...findings }, fields, 'templates.t.').map((fault) => ({
    field: fault.field,
    at: message.slice(fault.from, fault.to),
    message: fault.message,
  }));

describe('what is wrong with a text', () => {
  it('is marked where the API says it is', () => {
    const errors = [{ path: 'templates.t.message', message: 'line 2, column 16: unknown filter "truncat"' }];
    expect(find({ errors })).toEqual([
      { field: 'message', at: 'truncat', message: 'unknown filter "truncat"' },
    ]);
  });

  it('is about the whole field when no place is said, and about none when it is elsewhere', () => {
    const errors = [
      { path: 'templates.t.message', message: 'is required' },
      { path: 'sources.a.routes[0].to', message: 'is wrong' },
    ];
    expect(find({ errors })).toEqual([
      { field: 'message', at: '', message: 'is required' },
      { field: null, at: '', message: 'sources.a.routes[0].to: is wrong' },
    ]);
  });

  it('is the output that fails when it is rendered', () => {
    const reason = `route \`r\`, parameter \`message\` (${message}): line 2, {{ payload.a }}: money: "x" is not a number`;
    const [fault] = find({ failures: [{ parameter: 'message', reason }] });
    expect(fault).toEqual({ field: 'message', at: '{{ payload.a }}', message: 'money: "x" is not a number' });
  });

  it('is doubted wherever the variable is, but not where a longer one begins like it', () => {
    const warnings = [{ parameter: 'message', message: '`payload.a` is not there, so it is rendered empty' }];
    expect(find({ warnings }).map(({ at }) => at)).toEqual(['payload.a', 'payload.a']);
  });

  it('stays inside the text, even when the place is beyond it', () => {
    const errors = [{ path: 'templates.t.message', message: 'line 90, column 900: what' }];
    const [fault] = faultsOf({ errors, failures: [], warnings: [] }, fields, 'templates.t.');
    expect(fault?.to).toBeLessThanOrEqual(message.length);
  });
});
