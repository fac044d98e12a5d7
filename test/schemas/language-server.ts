import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { eventually } from '../eventually.ts';

const SERVER = createRequire(import.meta.url).resolve('yaml-language-server/bin/yaml-language-server');

const completion = z.object({
  items: z.array(
    z.object({
      label: z.string(),
      documentation: z.union([z.string(), z.object({ value: z.string() })]).optional(),
    }),
  ),
});
const hover = z.object({ contents: z.object({ value: z.string() }) }).nullable();
const message = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
});
const diagnostics = z.object({
  uri: z.string(),
  diagnostics: z.array(
    z.object({ message: z.string(), range: z.object({ start: z.object({ line: z.number() }) }) }),
  ),
});

/** A place in a text, from 0. */
interface Position {
  readonly line: number;
  readonly character: number;
}

/** An editor's YAML support, as editors run it: a process that is spoken to over its standard input and output. */
export interface LanguageServer {
  /** Opens a file, or changes its text. */
  open(file: string, text: string): void;
  complete(
    file: string,
    at: Position,
  ): Promise<readonly { readonly label: string; readonly about: string }[]>;
  hover(file: string, at: Position): Promise<string | null>;
  /** Returns its marks in a file, as `line: message`, once it has looked at the text that was opened last. */
  marks(file: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function startLanguageServer(folder: string): Promise<LanguageServer> {
  const child = spawn(process.execPath, [SERVER, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map<number, (result: unknown) => void>();
  const marks = new Map<string, readonly string[]>();
  const versions = new Map<string, number>();
  let lastId = 0;

  const send = (content: object): void => {
    const body = new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', ...content }));
    child.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    child.stdin.write(body);
  };
  const request = (method: string, params: unknown): Promise<unknown> => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    lastId += 1;
    waiting.set(lastId, resolve);
    send({ id: lastId, method, params });
    return promise;
  };
  const receive = (text: string): void => {
    const { id, method, params, result } = message.parse(JSON.parse(text));
    if (method === 'textDocument/publishDiagnostics') {
      const { uri, diagnostics: found } = diagnostics.parse(params);
      marks.set(
        uri,
        found.map((one) => `${one.range.start.line + 1}: ${one.message}`),
      );
    } else if (method !== undefined && id !== undefined) {
      // The server asks for its settings: it has none, but for a schema that a file names.
      send({
        id,
        result:
          method === 'workspace/configuration'
            ? [{ completion: true, hover: true, validate: true }, null, null, null, null]
            : null,
      });
    } else if (id !== undefined) {
      waiting.get(id)?.(result);
      waiting.delete(id);
    }
  };
  // Each character is a byte.
  let received = '';
  child.stdout.setEncoding('latin1').on('data', (chunk: string) => {
    received += chunk;
    for (;;) {
      const header = /^Content-Length: (\d+)\r\n(?:.*\r\n)*?\r\n/.exec(received);
      if (header === null) return;
      const [start, length] = [header[0].length, Number(header[1])];
      if (received.length < start + length) return;
      const bytes = Uint8Array.from(received.slice(start, start + length), (one) => one.charCodeAt(0));
      received = received.slice(start + length);
      receive(new TextDecoder().decode(bytes));
    }
  });

  const rootUri = pathToFileURL(folder).href;
  await request('initialize', {
    processId: process.pid,
    rootUri,
    workspaceFolders: [{ uri: rootUri, name: 'project' }],
    capabilities: { textDocument: { completion: { completionItem: { documentationFormat: ['markdown'] } } } },
  });
  send({ method: 'initialized', params: {} });
  const at = (file: string, position: Position) => ({
    textDocument: { uri: pathToFileURL(join(folder, file)).href },
    position,
  });
  return {
    open: (file, text) => {
      const uri = pathToFileURL(join(folder, file)).href;
      const version = (versions.get(uri) ?? 0) + 1;
      versions.set(uri, version);
      marks.delete(uri);
      send(
        version === 1
          ? {
              method: 'textDocument/didOpen',
              params: { textDocument: { uri, languageId: 'yaml', version, text } },
            }
          : {
              method: 'textDocument/didChange',
              params: { textDocument: { uri, version }, contentChanges: [{ text }] },
            },
      );
    },
    complete: async (file, position) => {
      const { items } = completion.parse(await request('textDocument/completion', at(file, position)));
      return items.map(({ label, documentation = '' }) => ({
        label,
        about: typeof documentation === 'string' ? documentation : documentation.value,
      }));
    },
    hover: async (file, position) => {
      const found = hover.parse(await request('textDocument/hover', at(file, position)));
      return found?.contents.value ?? null;
    },
    marks: (file) => {
      const uri = pathToFileURL(join(folder, file)).href;
      return eventually(() => {
        const found = marks.get(uri);
        if (found === undefined) throw new Error('it has not looked yet');
        return found;
      });
    },
    close: async () => {
      await request('shutdown', null);
      send({ method: 'exit' });
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
