import { err, ok, type Result } from '../../lib/result.ts';
import { formObject, MAX_FIELDS, tooManyFields, type FormField } from './form.ts';
import type { MediaType } from './media-type.ts';
import { malformed, type ParseRefusal } from './refusal.ts';

/** A file of a form. Its content is dropped: a template has no use for it, and an event is kept for weeks. */
interface FilePart {
  readonly filename: string;
  readonly type: string;
  readonly size: number;
}

/**
 * Parses a `multipart/form-data` body into an object like a form's, see `formObject`; files become {@link FilePart}.
 */
export async function parseMultipart(
  media: MediaType,
  body: Uint8Array,
): Promise<Result<unknown, ParseRefusal>> {
  const boundary = media.parameters.get('boundary') ?? '';
  if (boundary === '') {
    return err(
      malformed('The Content-Type has no `boundary`. Send the one that separates the parts of the body.'),
    );
  }
  const form = await readFormData(boundary, body);
  if (!form.ok) return form;
  const fields = [...form.value].map(([name, value]): FormField => [
    name,
    typeof value === 'string' ? value : filePart(value),
  ]);
  return fields.length > MAX_FIELDS ? err(tooManyFields()) : ok(formObject(fields));
}

const filePart = ({ name, type, size }: File): FilePart => ({ filename: name, type, size });

/**
 * Uses the platform's own parser, which (tried on workerd) refuses bodies that are cut off before the last boundary.
 */
async function readFormData(boundary: string, body: Uint8Array): Promise<Result<FormData, ParseRefusal>> {
  const quoted = `"${boundary.replace(/["\\]/g, '\\$&')}"`;
  try {
    const headers = { 'content-type': `multipart/form-data; boundary=${quoted}` };
    return ok(await new Response(body, { headers }).formData());
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const fault = FAULTS.find(([pattern]) => pattern.test(message))?.[1] ?? 'it cannot be parsed';
    return err(
      malformed(
        `The multipart body of ${body.length} bytes is malformed: ${fault}. Send it again as a whole.`,
      ),
    );
  }
}

/** Explains workerd's messages. They quote nothing from the body, but name workerd's internals. */
const FAULTS: readonly (readonly [RegExp, string])[] = [
  [/initial boundary/, 'it does not begin with the boundary that its Content-Type names'],
  [/subsequent boundary/, 'a part does not end with the boundary'],
  [/header termination/, 'the headers of its last part do not end'],
  [/Content-Disposition/, 'a part has no Content-Disposition with a name'],
];
