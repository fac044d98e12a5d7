/** A Worker, as one workerd process runs it. */
export interface WorkerService {
  readonly name: string;
  /** Its module's file, beside the configuration. */
  readonly file: string;
  readonly objects: readonly { readonly binding: string; readonly className: string }[];
  /** KV bindings, and the service that answers them. */
  readonly kv?: Readonly<Record<string, string>>;
  /** Variables and secrets. The process gets them in its environment: {@link environmentOf}. */
  readonly vars?: Readonly<Record<string, string>>;
  /** Bindings to folders. Their files are answered as bytes without a type. */
  readonly folders?: Readonly<Record<string, string>>;
  /** Bindings to other Workers. */
  readonly services?: Readonly<Record<string, string>>;
  /** The Worker that gets its outgoing calls; absent: they go out directly. */
  readonly outbound?: string;
  /** Objects of other Workers. */
  readonly foreignObjects?: readonly {
    readonly binding: string;
    readonly className: string;
    readonly worker: string;
  }[];
}

/** The options of a workerd configuration. */
export interface WorkerdOptions {
  readonly compatibilityDate: string;
  readonly port: number;
  /** Further ports, by the Worker that answers them. */
  readonly doors?: Readonly<Record<string, number>>;
  /** The folder that the objects are kept in. */
  readonly storeDir: string;
  /** Options of V8, such as `--max-old-space-size=100` (MiB, for each Worker). */
  readonly v8Flags?: readonly string[];
  /** The first one answers the port. */
  readonly workers: readonly [WorkerService, ...WorkerService[]];
}

/** The configuration of one workerd process, as Cap'n Proto text. It contains the names of secrets, but no values. */
export const workerdConfig = ({
  port,
  doors = {},
  storeDir,
  workers,
  v8Flags = [],
  compatibilityDate,
}: WorkerdOptions): string => `
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "disk", disk = (path = ${quote(storeDir)}, writable = true)),
    (name = "internet", network = (allow = ["private", "public"], tlsOptions = (trustBrowserCas = true))),
    ${workers.flatMap((worker) => [workerService(worker, compatibilityDate), ...folderServices(worker)]).join(',\n    ')}
  ],
  v8Flags = [${v8Flags.map(quote).join(', ')}],
  sockets = [
    ${Object.entries({ [workers[0].name]: port, ...doors })
      .map(socket)
      .join(',\n    ')}
  ],
);
`;

/** The variables of all Workers, for the environment of the process: no other user of the machine can read it. */
export const environmentOf = (
  workers: readonly Pick<WorkerService, 'name' | 'vars'>[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    workers.flatMap(({ name, vars = {} }) =>
      Object.entries(vars).map(([binding, value]) => [variable(name, binding), value] as const),
    ),
  );

const variable = (worker: string, binding: string): string => `WORKER_${worker}_${binding}`;

const socket = ([worker, port]: readonly [string, number]): string =>
  `(name = ${quote(`http-${worker}`)}, address = "127.0.0.1:${port}", http = (), service = ${quote(worker)})`;

const folderServices = ({ name, folders = {} }: WorkerService): readonly string[] =>
  Object.entries(folders).map(
    ([binding, path]) => `(name = ${quote(`${name}-${binding}`)}, disk = (path = ${quote(path)}))`,
  );

function workerService(worker: WorkerService, date: string): string {
  const { name, file, objects, kv = {}, vars = {}, folders = {}, services = {} } = worker;
  const { foreignObjects = [], outbound } = worker;
  const bindings = [
    ...objects.map(
      ({ binding, className }) =>
        `(name = ${quote(binding)}, durableObjectNamespace = (className = ${quote(className)}))`,
    ),
    ...Object.entries(kv).map(
      ([binding, service]) => `(name = ${quote(binding)}, kvNamespace = ${quote(service)})`,
    ),
    ...Object.keys(vars).map(
      (binding) => `(name = ${quote(binding)}, fromEnvironment = ${quote(variable(name, binding))})`,
    ),
    ...Object.keys(folders).map(
      (binding) => `(name = ${quote(binding)}, service = ${quote(`${name}-${binding}`)})`,
    ),
    ...Object.entries(services).map(
      ([binding, service]) => `(name = ${quote(binding)}, service = ${quote(service)})`,
    ),
    ...foreignObjects.map(
      ({ binding, className, worker: owner }) =>
        `(name = ${quote(binding)}, durableObjectNamespace = (className = ${quote(className)}, serviceName = ${quote(owner)}))`,
    ),
  ];
  const namespaces = objects.map(
    ({ className }) =>
      // The key names the folder of the class's objects: it must be the same in each run on one store.
      `(className = ${quote(className)}, uniqueKey = ${quote(`${name}-${className}`)}, enableSql = true)`,
  );
  return `(name = ${quote(name)}, worker = (
      modules = [(name = "index.js", esModule = embed ${quote(file)})],
      compatibilityDate = ${quote(date)},
      durableObjectStorage = (localDisk = "disk"),
      durableObjectNamespaces = [${namespaces.join(', ')}],
      bindings = [${bindings.join(', ')}],${outbound === undefined ? '' : `\n      globalOutbound = ${quote(outbound)},`}
    ))`;
}

/** A text literal. Characters outside ASCII are written byte by byte. Control characters are not needed. */
function quote(text: string): string {
  if (/\p{Cc}/u.test(text)) throw new Error('no control characters go into a workerd configuration');
  return JSON.stringify(text).replaceAll(/[^ -~]+/g, (others) =>
    [...new TextEncoder().encode(others)].map((byte) => `\\x${byte.toString(16)}`).join(''),
  );
}
