import { ok } from '../../src/lib/result.ts';
import { readFields, readPage, USUAL_FIELDS, type FieldRules } from '../../shared/new-source/form-source.ts';
import type { Ask } from '../ask.ts';
import { misused, type CommandResult } from '../failure.ts';
import { answer } from './answers.ts';
import type { ProviderStarter } from './starters.ts';

/** The page with the form, and its fields: `name*, email`. */
export interface GivenForm {
  readonly page?: string;
  readonly fields?: string;
}

/** A form on a page: the origin of the page, and the rules of the fields. */
export interface AskedForm {
  readonly page: string;
  readonly fields: FieldRules;
}

/** The form that a source is for; null if its provider is not a form. */
export async function askForm(
  { page, fields }: GivenForm,
  ask: Ask | null,
  { provider }: ProviderStarter,
): Promise<CommandResult<AskedForm | null>> {
  if (provider.form !== true)
    return page === undefined && fields === undefined
      ? ok(null)
      : misused('--page and --fields are for `--provider html-form`');
  if (page === undefined && ask === null)
    return misused('on which page is the form? Give --page https://shop.example');
  const origin = await answer(page, ask, {
    message: 'The address of the page with the form, such as https://shop.example',
    initial: '',
    read: readPage,
  });
  if (!origin.ok) return origin;
  const rules = await answer(fields, ask, {
    message: 'Its fields, separated by commas; * marks required ones',
    initial: USUAL_FIELDS,
    read: readFields,
  });
  return rules.ok ? ok({ page: origin.value, fields: rules.value }) : rules;
}
