import type { Written } from '../../api/types.ts';
import { textAt } from './model.ts';
import { isObject } from '../../../src/lib/json.ts';

/** A document as it is typed. `error`: the browser's message; empty if it is JSON, but not an object. */
export function parseDocument(text: string) {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? ({ ok: true, value } as const) : ({ ok: false, error: '' } as const);
  } catch (thrown) {
    return { ok: false, error: thrown instanceof Error ? thrown.message : String(thrown) } as const;
  }
}

/** Without the key where the value is empty: the relay's standard counts. */
export function withValue(source: Written, key: string, value: string): Written {
  const { [key]: _, ...rest } = source;
  return value === '' ? rest : { ...rest, [key]: value };
}

/** The routes that send to numbers and lists. A receiver from the webhook is Liquid, and stays in the JSON. */
export function withReceivers(source: Written) {
  const routes: readonly unknown[] = Array.isArray(source['routes']) ? source['routes'] : [];
  return routes.flatMap((route, at) => {
    const to: unknown = Reflect.get(Object(route), 'to');
    const entries = [to].flat();
    if (to === undefined || entries.some((one) => typeof one !== 'string' || one.includes('{'))) return [];
    const setTo = (typed: string): Written => {
      const all = typed.split(',').map((one) => one.trim());
      return {
        ...source,
        routes: routes.map((one, other) =>
          other === at && typeof one === 'object' ? { ...one, to: all.length === 1 ? all[0] : all } : one,
        ),
      };
    };
    return [{ at, name: textAt(route, 'name') ?? '', to: entries.join(', '), setTo }];
  });
}
