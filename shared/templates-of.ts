import { ownValue } from '../src/lib/json.ts';

/** The names of the templates that a route sends: one, or one for each language. */
export function templatesOf(route: unknown): readonly unknown[] {
  const template = ownValue(route, 'template');
  return typeof template === 'object' && template !== null ? Object.values(template) : [template];
}
