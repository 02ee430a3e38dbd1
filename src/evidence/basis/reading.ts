import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckerSetting } from '../../../schema/checker.ts';
import { packageSections, runnerTables } from '../../proof/basis.ts';
import { findExecutable } from './executables.ts';
import type { Program } from './resolve.ts';

/** The present basis of a criterion: entry → text; null = it exists but is too large to be kept. */
export interface BasisReading {
  readonly entries: ReadonlyMap<string, { readonly sha256: string; readonly text: string | null }>;
  readonly installed: readonly string[];
}

/** The present tree, listed once for all criteria. */
export interface Tree {
  readonly workspace: string;
  readonly files: readonly string[];
  /** Environment of the machine that runs the checks. */
  readonly environment: Readonly<Record<string, string>>;
  /** Links out of the workspace, by path: their targets aren't delivered. */
  readonly links: ReadonlyMap<string, string>;
  /** Checkers from the workspace's policy. */
  readonly checkers?: readonly CheckerSetting[];
}

const LARGEST_TEXT = 64 * 1024;
/** The user's own configuration holds credentials: its text is never kept. */
const USER_FILES = ['.npmrc', '.yarnrc', '.yarnrc.yml', '.config/pnpm/rc', '.config/go/env'];

/** Reads the workspace, one entry per name. */
export class Reading implements BasisReading {
  readonly entries = new Map<string, { sha256: string; text: string | null }>();
  readonly installed: string[] = [];
  readonly #tree: Tree;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  add(name: string, content: string | Buffer, isShown = true): void {
    const text = content.length <= LARGEST_TEXT ? content.toString() : null;
    const sha256 = createHash('sha256').update(content).digest('hex');
    this.entries.set(name, { sha256, text: isShown ? text : null });
  }

  async addFile(path: string): Promise<void> {
    const content = await readFile(join(this.#tree.workspace, path)).catch(() => null);
    if (content === null) return;
    await this.#addMode(path, content);
    const hasTables = /(^|\/)(pyproject\.toml|setup\.cfg)$/.test(path);
    this.add(
      path,
      hasTables ? runnerTables(content.toString()) : content,
      !/rc$/.test(path) || !SECRET.test(content.toString()),
    );
  }

  /** Records the mode: runners and loops may skip a file by its executable bit. */
  async #addMode(path: string, content: Buffer): Promise<void> {
    const stats = await stat(join(this.#tree.workspace, path)).catch(() => null);
    if (stats === null || (stats.mode & 0o111) === 0) return;
    this.add(`mode:${path}`, 'executable\n');
    // A script that becomes executable can only be run more often.
    const isScript = /\.(sh|bash|zsh)$/.test(path) || content.subarray(0, 2).toString() === '#!';
    if (isScript) this.installed.push(`mode:${path}`);
  }

  /** @param sections of package.json; without them those that configure a runner */
  async addSections(path: string, sections?: readonly string[]): Promise<void> {
    const text = await readFile(join(this.#tree.workspace, path), 'utf8').catch(() => null);
    if (text === null) return;
    const folder = path.slice(0, -'package.json'.length);
    for (const [name, value] of Object.entries(packageSections(text, sections))) {
      this.add(`${folder}${name}`, value);
    }
  }

  async addUserFiles(): Promise<void> {
    const home = this.#tree.environment.HOME;
    if (home === undefined) return;
    for (const path of USER_FILES) {
      const content = await readFile(join(home, path)).catch(() => null);
      if (content !== null) this.add(`~/${path}`, content, false);
    }
  }

  async addPrograms(programs: readonly Program[]): Promise<void> {
    for (const program of programs) {
      const name = `executable:${program.name}`;
      const { workspace, environment } = this.#tree;
      const found = await findExecutable(workspace, program, environment);
      if (found === null || (program.name.includes('/') && isProductFile(program.name))) continue;
      this.add(name, found.text, found.text.length < 4096);
      if (found.isInstalled) this.installed.push(name);
    }
  }
}

const SECRET = /(_auth|_authToken|_password|npmAuth\w*)\s*[=:]/i;
const isProductFile = (name: string): boolean =>
  !/(^|\/)(node_modules\/\.bin|\.?venv\/bin)\//.test(name);
