import { own } from './new-source/own.ts';

/** The names of the templates that a route sends: one, or one for each language. */
export function templatesOf(route: unknown): readonly unknown[] {
  const template = own(route, 'template');
  return typeof template === 'object' && template !== null ? Object.values(template) : [template];
}
