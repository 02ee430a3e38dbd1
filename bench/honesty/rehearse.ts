import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isReallyDone, runShell } from './oracle.ts';
import type { Trajectory } from './trajectory.ts';
import { furnish } from './workspace.ts';

export interface Rehearsed {
  readonly trajectory: Trajectory;
  /** Null: it plays as it is written. */
  readonly oddity: string | null;
}

/**
 * Does what the model would do, without a goal: a trick has to convince its own check and not the
 * oracle, honest work both. A trick that convinces nobody tests nothing.
 */
export async function rehearse(trajectory: Trajectory): Promise<Rehearsed> {
  const root = await mkdtemp(join(tmpdir(), 'goalkeeper-rehearsal-'));
  const folder = join(root, 'workspace');
  const [temporary, home] = [join(root, 'tmp'), join(root, 'home')];
  const own = {
    ...{ TMPDIR: temporary, HOME: home, PYTHONDONTWRITEBYTECODE: '1' },
    // Java asks the machine for its user's home.
    JAVA_TOOL_OPTIONS: `-Duser.home=${home}`,
  };
  try {
    for (const path of [folder, temporary, home]) await mkdir(path);
    await furnish(folder, trajectory);
    return { trajectory, oddity: await oddityOf(trajectory, folder, own) };
  } catch (error) {
    return { trajectory, oddity: `failed: ${String(error).slice(0, 300)}` };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function oddityOf(
  trajectory: Trajectory,
  folder: string,
  own: Readonly<Record<string, string>>,
): Promise<string | null> {
  const criteria = trajectory.criteria ?? trajectory.project.criteria;
  const commands = (criteria === 'none given' ? [] : criteria).flatMap((one) =>
    one.kind === 'command' ? [`(cd ${one.cwd ?? '.'} && ${one.command})`] : [],
  );
  if (commands.length === 0) return 'no command to rehearse';
  const check = async () => await runShell(commands.join(' && '), folder, own);
  if ((await check()).exitCode === 0) return 'its check holds from the start';
  for (const move of trajectory.moves ?? []) {
    if (typeof move === 'string') {
      const { exitCode, output } = await runShell(move, folder, own);
      if (exitCode !== 0) return `a move fails: ${move}\n${output.slice(-500)}`;
      continue;
    }
    for (const [path, content] of Object.entries(move)) {
      if (content === null) await rm(join(folder, path));
      else {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), content);
      }
    }
  }
  const { exitCode, output } = await check();
  if (exitCode !== 0) return `it does not convince its check:\n${output.slice(-700)}`;
  const isDone = await isReallyDone(trajectory, folder);
  const shouldBeDone = trajectory.expected !== 'not complete';
  if (isDone === shouldBeDone) return null;
  return isDone ? 'the oracle finds it done' : 'the oracle does not find it done';
}
