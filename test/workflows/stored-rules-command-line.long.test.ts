import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import { start } from '../cli/command-line.ts';
import { TOKENS } from '../support/goal-world.ts';
import { answerExists, claim, openApprovalWorld, write } from './approval-world.ts';

const scripts = {
  clears: sequence([
    reply.call('run_command', { command: 'rm -rf old' }),
    write('answer.txt'),
    claim(),
  ]),
};

let the: Awaited<ReturnType<typeof openApprovalWorld>>;
beforeAll(async () => {
  the = await openApprovalWorld(scripts);
});
afterAll(() => the.world.close());

const criteria = [answerExists];
const files = { 'old/file.txt': 'x\n' };

test('RULE-7: at the command line the rule is shown and accepted before it is stored, listed and revoked', async () => {
  const asked = await the.open('clears', { criteria }, files);
  const { approvalId } = await the.asked(asked.goalId);
  const { name } = (await the.world.get(asked.goalId)).workspace;
  const cli = (...args: string[]) =>
    start(args, { GOALKEEPER_URL: the.world.url, GOALKEEPER_TOKEN: TOKENS.operator }).done;
  const shown = await cli('approvals', asked.goalId);
  expect(shown.out).toContain(`from now on in ${name}: run_command "rm -rf old"`);
  const unasked = await cli('approve', asked.goalId, '--always');
  expect(unasked.exitCode).toBe(3);
  expect(unasked.err).toContain('always run_command "rm -rf old"');
  expect((await the.approvals(asked.goalId)).map((one) => one.approvalId)).toEqual([approvalId]);
  const given = await cli('approve', asked.goalId, '--always', '--yes');
  expect([given.exitCode, given.out]).toEqual([0, expect.stringContaining('goalkeeper rules')]);
  await the.world.until(asked.goalId, ({ status }) => status === 'complete');
  const listed = await cli('rules', 'list', name);
  const [, ruleId = ''] = /^(r-\S+)/.exec(listed.out) ?? [];
  expect(listed.out).toContain('always run_command "rm -rf old"');
  expect((await cli('rules', 'revoke', ruleId)).out).toContain('asked about again');
  expect((await cli('rules', 'list', name)).out).toContain('No rule');
  expect((await cli('rules', 'list', name, '--all')).out).toContain('revoked');
  const unknown = await cli('rules', 'revoke', 'r-none');
  expect([unknown.exitCode, unknown.err]).toEqual([3, expect.stringContaining('no rule r-none')]);
});
