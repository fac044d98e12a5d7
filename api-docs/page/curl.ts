import { shellWord } from '../../shared/shell-word.ts';
import type { RouteSpec } from '../spec.ts';

/** A route as a line for a shell, with the first example of its body. `example`: the value in the path. */
export function curlOf({ method, path, query, body, role, answers }: RouteSpec, example: string): string {
  const verb = method === 'GET' || (method === 'POST' && body !== undefined) ? '' : ` -X ${method}`;
  const head = `curl${verb}${role === null ? '' : ' -H "$AUTH"'} "$API${fill(path, example)}${search(query)}"`;
  const [sent] = Object.values(body?.examples ?? {});
  if (sent !== undefined) return `${head} -d ${shellWord(JSON.stringify(sent.value, null, 2))}`;
  return 101 in answers ? '' : head;
}

const fill = (path: string, example: string): string => path.replaceAll(/\{\w+\}/g, example);

/** Parameters with an example are the most used ones. */
function search(query: RouteSpec['query']): string {
  const given = query.flatMap(({ name, example }) =>
    example === undefined ? [] : [`${name}=${encodeURIComponent(example)}`],
  );
  return given.length === 0 ? '' : `?${given.join('&')}`;
}
