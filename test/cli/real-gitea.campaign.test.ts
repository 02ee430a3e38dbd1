import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sequence } from '../../demo/script.ts';
import { startRepository } from '../support/git.ts';
import { TOKENS } from '../support/goal-world.ts';
import { claim, openScriptedGoals, write } from '../support/scripted-goals.ts';
import { start } from './command-line.ts';

/** A Gitea that runs already, where this token's user may make repositories. */
const { GOALKEEPER_TEST_GITEA: url = '', GOALKEEPER_TEST_GITEA_TOKEN: token = '' } = process.env;

async function gitea<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

test.skipIf(url === '' || token === '')(
  'PULL-13 a real Gitea takes an issue as the objective, and the proven commit as one pull request that a second call renews',
  async () => {
    const goals = await openScriptedGoals({ Answers: sequence([write, claim]) });
    const path = await goals.world.workspace({ 'README.md': '# shop\n' });
    const git = startRepository(path);
    const { login } = await gitea<{ login: string }>('GET', '/user');
    const name = `shop-${Date.now()}`;
    await gitea('POST', '/user/repos', { name, default_branch: 'main' });
    const { host, origin } = new URL(url);
    const remote = `${origin}/${login}/${name}.git`;
    git('push', '-q', remote.replace('://', `://${login}:${token}@`), 'main:main');
    git('config', 'remote.origin.url', remote);
    const words = { title: 'Answers: are missing', body: 'Write `answer.txt`.' };
    const issue = await gitea<{ html_url: string }>(
      'POST',
      `/repos/${login}/${name}/issues`,
      words,
    );
    const home = mkdtempSync(join(tmpdir(), 'goalkeeper-person-'));
    writeFileSync(join(home, '.gitconfig'), '[user]\nname = Ada\nemail = ada@localhost\n');
    const goalkeeper = async (...args: string[]) => {
      const ran = await start(args, {
        ...{ GOALKEEPER_URL: goals.world.url, GOALKEEPER_TOKEN: TOKENS.admin, HOME: home },
        ...{ GITEA_HOST: host, GITEA_TOKEN: token },
      }).done;
      expect([ran.exitCode, ran.err]).toEqual([0, '']);
      return JSON.parse(ran.out);
    };
    const { goalId } = await goalkeeper(
      ...['run', '--from-issue', issue.html_url, '--workspace', path, '--worktree'],
      ...['--criterion', 'test -s answer.txt', '--change', 'answer.txt'],
      ...['--no-terms', '--detach', '--json'],
    );
    await goals.world.until(goalId, ({ status }) => status === 'complete');
    const opened = await goalkeeper('pr', goalId, '--yes', '--json');
    expect(opened).toMatchObject({ isNew: true, into: 'main' });
    const pull = await gitea<{ body: string; head: { sha: string }; mergeable: boolean }>(
      'GET',
      `/repos/${login}/${name}/pulls/${opened.number}`,
    );
    expect(pull.head.sha).toBe(opened.commit);
    expect(pull.body).toContain('✅ Verified');
    expect(await goalkeeper('pr', goalId, '--yes', '--json')).toEqual({ ...opened, isNew: false });
    await goals.world.close();
  },
);
