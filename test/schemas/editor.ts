import { pathToFileURL } from 'node:url';
// It comes with the language server.
import { TextDocument } from 'vscode-languageserver-textdocument';
import { getLanguageService } from 'yaml-language-server';
import { documentSchemas } from '../../api-docs/document-schemas.ts';

/** The schema of each folder's documents. */
const OF = {
  sources: 'source',
  templates: 'template',
  recipients: 'recipients',
  accounts: 'account',
  silences: 'silence',
};
export type Folder = keyof typeof OF;
export const isFolder = (name: string): name is Folder => Object.hasOwn(OF, name);

const SCHEMAS = 'node_modules/hookbell/assets/schemas';
const ROOT = pathToFileURL('/project').href;
const schemas = new Map(
  Object.entries(documentSchemas()).map(([name, schema]) => [`${ROOT}/${SCHEMAS}/${name}.json`, schema]),
);

/** The YAML support of editors, in a project that has no file but the schemas. */
const service = getLanguageService({
  schemaRequestService: async (uri) => {
    const schema = schemas.get(uri);
    if (schema === undefined) throw new Error(`there is no ${uri}`);
    return JSON.stringify(schema);
  },
  workspaceContext: { resolveRelativePath: (path, from) => new URL(path, from).href },
});
service.configure({ validate: true, hover: true, completion: true });

let documents = 0;

/** A document whose place is marked by `¦`, as `init` begins its file. */
function typed(folder: Folder, marked: string) {
  const text = `# yaml-language-server: $schema=../../${SCHEMAS}/${OF[folder]}.json\n${marked}`;
  const lines = (text.split('¦')[0] ?? '').split('\n');
  const at = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
  documents += 1;
  const uri = `${ROOT}/hookbell/${folder}/file-${documents}.yaml`;
  return { document: TextDocument.create(uri, 'yaml', 1, text.replace('¦', '')), at };
}

/** Returns what an editor offers at the mark, with what each is about. */
export async function offered(folder: Folder, marked: string): Promise<ReadonlyMap<string, string>> {
  const { document, at } = typed(folder, marked);
  const { items } = await service.doComplete(document, at, false);
  return new Map(
    items.map(({ label, documentation = '' }) => [
      label,
      typeof documentation === 'string' ? documentation : documentation.value,
    ]),
  );
}

/** Returns what an editor shows about the word at the mark. */
export async function hover(folder: Folder, marked: string): Promise<string> {
  const { document, at } = typed(folder, marked);
  return JSON.stringify((await service.doHover(document, at))?.contents ?? null);
}

/** Returns an editor's marks in a document, as `line: message`. */
export async function marks(folder: Folder, text: string): Promise<readonly string[]> {
  const found = await service.doValidation(typed(folder, text).document, false);
  return found.map(
    ({ range, message }) =>
      `${range.start.line + 1}: ${typeof message === 'string' ? message : message.value}`,
  );
}
