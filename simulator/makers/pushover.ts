import { err, ok } from '../../src/lib/result.ts';
import type { StandIn } from './stand-in.ts';

const KEY = /^[A-Za-z0-9]{30}$/;

const refuse = (status: number, field: string, error: string) =>
  err({
    status,
    reason: 'pushover_refuses',
    detail: error,
    value: {
      [field]: 'invalid',
      errors: [error],
      status: 0,
      request: '5042853c-402d-4a18-abcb-168734a801de',
    },
  });

/** Pushover: https://pushover.net/api */
export const pushover: StandIn = {
  shown: (path) => path,
  read({ method, path, form }) {
    if (method !== 'POST' || path !== '/1/messages.json') return refuse(404, 'request', 'not found');
    const field = (name: string): string => form?.get(name) ?? '';
    if (!KEY.test(field('token')))
      return refuse(400, 'token', 'application token is invalid, see https://pushover.net/api');
    if (!KEY.test(field('user'))) return refuse(400, 'user', 'user identifier is invalid');
    const message = field('message');
    if (message === '') return refuse(400, 'message', 'message cannot be blank');
    if (message.length > 1_024) return refuse(400, 'message', 'message is too long');
    return ok({ kind: 'text', to: field('user'), params: { message } });
  },
  success: (_, id) => ({
    status: 200,
    value: { status: 1, request: `647d2300-702c-4b38-8b2f-${String(id).padStart(12, '0')}` },
  }),
  failure: (_, error) => ({ errors: [error], status: 0 }),
};
