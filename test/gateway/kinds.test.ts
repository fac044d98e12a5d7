import { describe, expect, it } from 'vitest';
import { CREDENTIALS, ENDPOINTS } from '../../simulator/endpoints.ts';
import { isMessageKind, KIND_NAMES, MESSAGE_KINDS, paramsOf } from '../../src/gateway/kinds.ts';

describe('the kinds of message', () => {
  it('are those of the simulator, which has its own list of what the gateway takes', () => {
    const ours = KIND_NAMES.map((kind) => ({
      kind,
      path: `/${MESSAGE_KINDS[kind].path}`,
      required: [...(MESSAGE_KINDS[kind].hasReceiver ? ['phone'] : []), ...named(kind, false)],
      optional: named(kind, true),
    }));
    expect(ours).toEqual(ENDPOINTS);
  });

  it('have no parameter that is one of the login, the receiver or a key of a document', () => {
    const taken = new Set([
      ...CREDENTIALS.required,
      ...CREDENTIALS.optional,
      'phone',
      'to',
      'kind',
      'fallback',
      'account',
    ]);
    for (const kind of KIND_NAMES) expect(paramsOf(kind).filter(([name]) => taken.has(name))).toEqual([]);
  });

  it('begin with the parameter that the message is about, which is required', () => {
    for (const kind of KIND_NAMES) expect(paramsOf(kind)[0]?.[1].isOptional).toBeUndefined();
  });

  it('are known by their own names and no inherited ones', () => {
    expect(KIND_NAMES).toEqual(Object.keys(MESSAGE_KINDS));
    expect(['', 'Text', 'sms', 'toString', '__proto__'].some(isMessageKind)).toBe(false);
  });
});

const named = (kind: (typeof KIND_NAMES)[number], isOptional: boolean): readonly string[] =>
  paramsOf(kind).flatMap(([name, spec]) => ((spec.isOptional === true) === isOptional ? [name] : []));
