import { appendFile, readFile } from 'node:fs/promises';
import { type CheckResult, checkResultSchema } from '../../../schema/check-result.ts';
import { commentOf, MARKER } from '../../check/comment.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { assertFileEnds } from '../named-file.ts';
import type { CommonOptions } from '../session.ts';
import { processTerminal } from '../terminal.ts';

const PATIENCE_MS = 30_000;
/** Pages of 100 comments that are looked through for the one of an earlier check. */
const MOST_PAGES = 20;

/**
 * Writes what a check found to the job's summary and to the pull request, in one comment that each
 * check updates. Runs apart from the check: no code under test is alive beside the token.
 */
export async function checkComment(path: string, options: CommonOptions): Promise<ExitCode> {
  const terminal = processTerminal();
  const text = commentOf(await readResult(path));
  const { GITHUB_STEP_SUMMARY: summary } = process.env;
  if (summary) await appendFile(summary, `${text}\n`);
  const told = await onPullRequest(text);
  if (options.json === true) terminal.out(JSON.stringify({ comment: told }));
  else terminal.out(told.said);
  return EXIT.complete;
}

async function readResult(path: string): Promise<CheckResult> {
  await assertFileEnds(path, NAME_IT);
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new UsageError(`${path} can't be read: ${error.message}`, NAME_IT);
  });
  try {
    return checkResultSchema.parse(JSON.parse(text));
  } catch {
    throw new UsageError(`${path} is not what "goalkeeper check --json" prints.`, NAME_IT);
  }
}

const NAME_IT = 'Write it by "goalkeeper check --json > FILE".';

interface Told {
  readonly said: string;
  readonly url: string | null;
}

/** A fork's token may only read: that is told, and fails nothing. */
async function onPullRequest(body: string): Promise<Told> {
  const { GITHUB_TOKEN: token, GITHUB_REPOSITORY: repository } = process.env;
  const { GITHUB_API_URL: api = 'https://api.github.com' } = process.env;
  const number = await pullRequestNumber();
  if (!token || !repository || number === null) {
    return { said: 'no comment: this is no job of a pull request, or it has no token', url: null };
  }
  const call = async (method: string, path: string, content?: object): Promise<unknown> => {
    const answer = await fetch(`${api}/repos/${repository}${path}`, {
      method,
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'user-agent': 'goalkeeper',
      },
      ...(content && { body: JSON.stringify(content) }),
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
    return await answer.json();
  };
  try {
    const earlier = await findOwn(call, number);
    const written =
      earlier === null
        ? await call('POST', `/issues/${number}/comments`, { body })
        : await call('PATCH', `/issues/comments/${earlier}`, { body });
    const { html_url: url = null } = written as { html_url?: string };
    return { said: `comment ${earlier === null ? 'written' : 'updated'}: ${url ?? ''}`, url };
  } catch (error) {
    return { said: `no comment: GitHub refused it (${(error as Error).message})`, url: null };
  }
}

interface Comment {
  readonly id: number;
  readonly body?: string | null;
  readonly user?: { readonly type?: string } | null;
}

/** Anybody can write the marker: only a program's comment is taken for an earlier one. */
async function findOwn(
  call: (method: string, path: string) => Promise<unknown>,
  number: number,
): Promise<number | null> {
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const path = `/issues/${number}/comments?per_page=100&page=${page}`;
    const comments = (await call('GET', path)) as readonly Comment[];
    const own = comments.find(
      ({ body, user }) => body?.startsWith(MARKER) === true && user?.type === 'Bot',
    );
    if (own !== undefined) return own.id;
    if (comments.length < 100) return null;
  }
  return null;
}

/** GitHub gives a job the event that started it as a file. */
async function pullRequestNumber(): Promise<number | null> {
  const { GITHUB_EVENT_PATH: path } = process.env;
  if (!path) return null;
  try {
    const event = JSON.parse(await readFile(path, 'utf8')) as {
      pull_request?: { number?: unknown };
    };
    const number = event.pull_request?.number;
    return Number.isSafeInteger(number) ? (number as number) : null;
  } catch {
    return null;
  }
}
