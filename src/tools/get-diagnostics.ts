import { z } from 'zod';
import type { Isolation } from '../../schema/isolation.ts';
import type { Receipt } from '../../schema/ledger.ts';
import type { CommandRun } from '../contract/effects.ts';
import type { Checker } from '../diagnostics/checker.ts';
import { detectCheckers, findCheckers, KNOWN_CHECKERS } from '../diagnostics/checkers.ts';
import { concerns } from '../diagnostics/concerns.ts';
import { errorsNamed, type KnownErrors, newErrors } from '../diagnostics/known-errors.ts';
import { type Diagnostic, diagnosticsIn } from '../diagnostics/parse.ts';
import { diffFingerprints, takeFingerprint } from '../workspace/fingerprint.ts';
import { resolveInside } from '../workspace/paths.ts';
import { shownPath } from '../workspace/shown-path.ts';
import { cutText } from './output.ts';
import { defineTool, failed, refusingPaths } from './results.ts';
import type { ToolContext, ToolResult } from './tool.ts';

const TIMEOUT_MS = 600_000;
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
const MAX_SHOWN = 100;
/** The characters shown of a checker's output that can't be parsed. */
const RAW_CHARACTERS = 4000;

const schema = z.strictObject({
  paths: z
    .array(z.string().min(1).max(4096))
    .min(1)
    .max(50)
    .optional()
    .describe('Only these files and folders; the whole project unless told'),
  onlyNew: z
    .boolean()
    .optional()
    .describe('Leaves out errors of the start, where a criterion asks for no new ones'),
});

type Arguments = z.infer<typeof schema>;

export const getDiagnosticsTool = defineTool<Arguments>({
  name: 'get_diagnostics',
  description:
    'Runs the checkers that the project is set up for (types, lint, syntax) and answers with what ' +
    'they find, as path:line:column. Without paths it counts as a check of the whole project. ' +
    'With onlyNew, errors that were there when the goal began are left out.',
  effect: 'write',
  modes: ['agent'],
  schema,
  run: (args, context) => refusingPaths(() => diagnose(args, context)),
});

interface CheckerRun {
  readonly checker: Checker;
  readonly run: CommandRun;
  readonly found: readonly Diagnostic[];
  readonly holds: boolean;
  /** Errors of the start, which don't count. */
  readonly old: number;
}

const NOTHING_KNOWN =
  'no criterion of this goal asks for no new errors, so those of the start are not known: leave ' +
  'onlyNew out';

async function diagnose(args: Arguments, context: ToolContext): Promise<ToolResult> {
  const workspace = (await resolveInside(context.workspace.path, '.')).absolute;
  const wanted = (args.paths ?? []).map((path) => resolveInside(workspace, path));
  const resolved = await Promise.all(wanted);
  const absent = resolved.find(({ kind }) => kind === 'absent');
  if (absent !== undefined) return failed(`${absent.relative} does not exist`);
  const paths = resolved.map(({ relative }) => relative);
  const checkers = await detectCheckers(workspace, paths, context.checkers);
  if (checkers.length === 0) return failed(await whyNone(workspace));
  const known = args.onlyNew === true ? ((await context.knownErrors?.()) ?? null) : undefined;
  if (known === null) return failed(NOTHING_KNOWN);
  const before = await takeFingerprint(workspace, context.watched);
  const looks: CheckerRun[] = [];
  for (const checker of checkers) {
    looks.push(await runChecker(checker, { workspace, paths, known }, context));
    if (context.signal.aborted) break;
  }
  const writes = diffFingerprints(before, await takeFingerprint(workspace, context.watched));
  return toResult(looks, paths, writes);
}

async function whyNone(workspace: string): Promise<string> {
  const missing = (await findCheckers(workspace)).map(({ program }) => program);
  return missing.length === 0
    ? `no checker was found: ${KNOWN_CHECKERS} of the project`
    : `the project is set up for ${missing.join(', ')}, which is not installed`;
}

interface Asked {
  readonly workspace: string;
  readonly paths: readonly string[];
  /** Errors that don't count; undefined = each one does. */
  readonly known: KnownErrors | undefined;
}

async function runChecker(
  checker: Checker,
  { workspace, paths, known }: Asked,
  { effects, signal }: ToolContext,
): Promise<CheckerRun> {
  const run = await effects.runCommand({
    command: checker.command,
    cwd: workspace,
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    signal,
  });
  const output = new TextDecoder().decode(run.output);
  const found = diagnosticsIn(checker.parse(output, workspace), paths);
  const hasEnded = run.ended === 'exited' && run.exitCode !== null;
  const isClean = run.exitCode === 0 || !concerns(checker, output, paths, workspace);
  const plain = { checker, run, found, holds: hasEnded && isClean, old: 0 };
  const named =
    known === undefined || !hasEnded || isClean
      ? null
      : errorsNamed(checker, output, workspace, paths);
  if (known === undefined || named === null) return plain;
  const fresh = newErrors(checker.name, named, known);
  return { ...plain, found: fresh, holds: fresh.length === 0, old: named.length - fresh.length };
}

/** A claim cites the checker's command line, which counts only for the files it checked. */
function toResult(
  looks: readonly CheckerRun[],
  paths: readonly string[],
  writes: readonly string[],
): ToolResult {
  const bad = looks.filter(({ holds }) => !holds);
  const reason = bad.map(({ checker, run }) => `${checker.name} ${endOf(run)}`).join('; ');
  const durationMs = looks.reduce((sum, { run }) => sum + run.durationMs, 0);
  const exitCode = bad.length === 0 ? 0 : (bad[0]?.run.exitCode ?? null);
  const disarmed = looks.flatMap(({ run }) => run.disarmed ?? []);
  const undecided = looks.flatMap(({ run }) => run.undecided ?? []);
  const reached = looks.flatMap(({ run }) => run.reached ?? []);
  const receipt: Receipt = {
    command: citable(looks),
    cwd: '.',
    durationMs,
    ...(exitCode !== null && { exitCode }),
    ...(paths.length > 0 && { reads: [...paths] }),
    ...(bad.length > 0 && { reason }),
    ...(writes.length > 0 && { writes: [...writes] }),
    isolation: worstOf(looks),
    ...(disarmed.length > 0 && { disarmed }),
    ...(undecided.length > 0 && { undecided }),
    ...(reached.length > 0 && { reached }),
  };
  const text = looks.map(describe).join('\n');
  const output = Buffer.concat(looks.map(({ run }) => run.output));
  return {
    outcome: bad.length === 0 ? 'succeeded' : 'failed',
    text: cutText(text, 'name paths to see less'),
    receipt,
    output,
    wrote: writes.length > 0,
  };
}

const worstOf = (looks: readonly CheckerRun[]): Isolation =>
  (['none', 'partial'] as const).find((kind) => looks.some(({ run }) => run.isolation === kind)) ??
  'full';

/** A checker that failed only on files outside the request passed nothing that can be cited. */
function citable(looks: readonly CheckerRun[]): string {
  const cited = looks.filter(({ holds, run }) => !holds || run.exitCode === 0);
  return cited.map(({ checker }) => checker.command).join(' && ') || 'get_diagnostics';
}

function endOf({ ended, exitCode, signal }: CommandRun): string {
  if (ended === 'timeout') return 'took too long';
  if (ended !== 'exited') return `was ended: ${ended}`;
  if (exitCode === 127 || exitCode === 126) return `could not be started (exit ${exitCode})`;
  return exitCode === null ? `was ended by ${signal}` : `found errors (exit ${exitCode})`;
}

function describe({ checker, run, found, holds, old }: CheckerRun): string {
  const left = old === 0 ? '' : ` ${old} of the start ${old === 1 ? 'is' : 'are'} left out.`;
  if (holds && found.length === 0) {
    return `${checker.name}: no ${old === 0 ? '' : 'new '}errors.${left}`;
  }
  const shown = found.slice(0, MAX_SHOWN).map(lineOf);
  const more = found.length > MAX_SHOWN ? [`(${found.length - MAX_SHOWN} more)`] : [];
  const raw =
    found.length === 0 ? [cutText(outputText(run), 'run it yourself', RAW_CHARACTERS)] : [];
  const head = holds ? `${checker.name}: no errors.` : `${checker.name} ${endOf(run)}:${left}`;
  return [head, ...shown, ...more, ...raw].join('\n');
}

function lineOf({ path, line, column, severity, message, rule }: Diagnostic): string {
  const where = [shownPath(path), line, ...(column === null ? [] : [column])].join(':');
  return `${where} ${severity}: ${message}${rule === undefined ? '' : ` (${rule})`}`;
}

const outputText = ({ output }: CommandRun): string => new TextDecoder().decode(output).trim();
