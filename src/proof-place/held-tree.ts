import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { StoreFailed } from '../checkpoints/store-git.ts';
import type { TreeEntry } from '../checkpoints/stored-tree.ts';
import type { Owner } from '../sandbox/command-user.ts';
import { type HeldFolder, holdInner, makeGiven } from '../sandbox/held-folder.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;

/** The kernel's change time can't be set by a program. */
export const stampOf = ({ ino, ctimeNs, size }: BigIntStats): string => `${ino} ${ctimeNs} ${size}`;

/**
 * Writes files by their paths into a folder that somebody else may change meanwhile: each folder on
 * the way is held, and nothing that was found there is given away.
 */
export class HeldTree {
  readonly #root: HeldFolder;
  readonly #aside: HeldFolder;
  readonly #owner: Owner | null;
  /** The way to the file that was written last, the outermost folder first. */
  #way: { readonly name: string; readonly folder: HeldFolder }[] = [];

  /**
   * @param aside nobody but the host writes there: what is given away is made there first
   * @param owner of what is made; null = the worker's user
   */
  constructor(root: HeldFolder, aside: HeldFolder, owner: Owner | null) {
    this.#root = root;
    this.#aside = aside;
    this.#owner = owner;
  }

  /**
   * Nothing lies at the path yet.
   * @returns its stamp
   * @throws StoreFailed where a folder on the way is none
   */
  write(path: string, { kind, mode }: TreeEntry, content: Buffer): string {
    const names = path.split('/');
    const name = names.pop() ?? '';
    const folder = this.#into(names);
    if (kind === 'file') return this.#writeFile(folder, name, mode, content);
    this.#make(folder, name, (at) => symlinkSync(content, at));
    return stampOf(lstatSync(folder.at(name), { bigint: true }));
  }

  /** The caller closes it. @throws StoreFailed */
  makeFolder(name: string, folder = this.#root): HeldFolder {
    this.#make(folder, name, (at) => mkdirSync(at, { mode: 0o755 }));
    const made = holdInner(folder, name);
    if (made === null) throw new StoreFailed('checkout', `${name} changes while it is made`);
    return made;
  }

  close(): void {
    for (const { folder } of this.#way.splice(0)) folder.close();
  }

  #into(names: readonly string[]): HeldFolder {
    let same = 0;
    while (same < names.length && this.#way[same]?.name === names[same]) same += 1;
    for (const { folder } of this.#way.splice(same)) folder.close();
    for (const name of names.slice(same)) {
      const around = this.#way.at(-1)?.folder ?? this.#root;
      const folder = holdInner(around, name) ?? this.makeFolder(name, around);
      this.#way.push({ name, folder });
    }
    return this.#way.at(-1)?.folder ?? this.#root;
  }

  #writeFile(folder: HeldFolder, name: string, mode: number, content: Buffer): string {
    const file = openSync(folder.at(name), O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o600);
    try {
      writeFileSync(file, content);
      if (this.#owner !== null) fchownSync(file, this.#owner.uid, this.#owner.gid);
      fchmodSync(file, mode);
      return stampOf(fstatSync(file, { bigint: true }));
    } finally {
      closeSync(file);
    }
  }

  #make(folder: HeldFolder, name: string, make: (at: string) => void): void {
    if (this.#owner === null) make(folder.at(name));
    else makeGiven(folder, name, { aside: this.#aside, ...this.#owner }, make);
  }
}
