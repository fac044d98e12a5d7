/** One caller's item, and how to answer it. */
interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
}

/** How a group is carried out. */
export interface GroupDeps<Item, Answer> {
  /** Writes several items in one synchronous commit; throws when any of them cannot be written. */
  readonly commit: (items: readonly Item[]) => readonly Answer[];
  /** Resolves when what was written is on disk. */
  readonly flushed: () => Promise<void>;
}

/** So many items share a commit at most, so that one commit stays a few milliseconds. */
const MAX_GROUP = 256;

/**
 * Commits concurrent items together: while one commit is on its way to the disk, those that come meanwhile gather,
 * and share the next one. An item that cannot be written fails alone: its group is then written one by one.
 */
export class GroupCommit<Item, Answer> {
  readonly #deps: GroupDeps<Item, Answer>;
  #waiting: Waiting<Item, Answer>[] = [];
  #isFlushing = false;

  constructor(deps: GroupDeps<Item, Answer>) {
    this.#deps = deps;
  }

  /** Resolves with the item's answer when its commit is on disk; rejects when it could not be written. */
  add(item: Item): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#waiting.push({ item, resolve, reject });
    if (!this.#isFlushing) void this.#flush();
    return promise;
  }

  async #flush(): Promise<void> {
    this.#isFlushing = true;
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, MAX_GROUP);
      const answered = this.#commit(group);
      try {
        await this.#deps.flushed();
        for (const answer of answered) answer();
      } catch (thrown) {
        // Nobody knows what is on disk: each sender tries again, and its event's id makes that safe.
        for (const { reject } of group) reject(thrown);
      }
    }
    this.#isFlushing = false;
  }

  /** Writes the group, and returns what to tell each once it is on disk. */
  #commit(group: readonly Waiting<Item, Answer>[]): readonly (() => void)[] {
    try {
      const answers = this.#deps.commit(group.map(({ item }) => item));
      return group.flatMap(({ resolve }, index) =>
        answers.slice(index, index + 1).map((answer) => () => resolve(answer)),
      );
    } catch (thrown) {
      const [only] = group;
      if (group.length === 1 && only !== undefined) return [() => only.reject(thrown)];
      return group.flatMap((one) => this.#commit([one]));
    }
  }
}
