import { expect, it } from 'vitest';
import { roleSchema } from '../../schema/role.ts';
import { MOST_ARCHIVE_BYTES, sealInputSchema } from '../../schema/sealed.ts';
import { securityEventSchema } from '../../schema/security-log.ts';
import { newTokenSchema } from '../../schema/token.ts';
import { isAllowed, type OperationId } from '../../src/api/roles.ts';
import type { LogEntry, Token } from '../../src/ui/api/types.ts';
import { roleActs } from '../../src/ui/view/role-acts.ts';
import * as seal from '../../src/ui/view/seal-form.ts';
import { dataWords, filterOf, goalOf, logEvents } from '../../src/ui/view/security-text.ts';
import {
  dayChoices,
  emptyTokenForm,
  endTone,
  idleTone,
  rolesUpTo,
  tokenBody,
  tokenState,
  tokenTwin,
} from '../../src/ui/view/token-form.ts';

it('WHO-9 what the console says that a role may is what the service lets it do', () => {
  expect(rolesUpTo('admin')).toEqual(roleSchema.options);
  for (const { operation, roles } of roleActs) {
    const allowed = roleSchema.options.filter((role) => isAllowed(role, operation as OperationId));
    expect([operation, roles]).toEqual([operation, allowed]);
  }
});

it('WHO-1 the form of a token asks for what the service takes, as the command line does', () => {
  for (const [days] of dayChoices) {
    const form = {
      ...emptyTokenForm,
      name: 'ci',
      workspaces: 'shop, a b',
      templates: 'shop/fix',
      days,
    };
    const body = tokenBody(form);
    expect(newTokenSchema.parse(body)).toEqual(body);
    expect(tokenTwin(form)).toBe(
      `goalkeeper token create ci --role agent --workspace shop --workspace 'a b' --template shop/fix ${
        days === '' ? '--no-expiry' : `--days ${days}`
      }`,
    );
  }
  expect(tokenBody(emptyTokenForm)).not.toHaveProperty('workspaces');
});

it('WHO-1 a token is orange a week before its end, after 60 days without use, and never once it is over', () => {
  const day = (days: number) => new Date(days * 86_400_000).toISOString();
  const token = {
    ...{ name: 'ci', role: 'agent', workspaces: null, createdBy: 'a', revokedBy: null },
    ...{ createdAt: day(0), lastUsedAt: null, expiresAt: day(90), revokedAt: null },
  } as Token;
  const at = (days: number) => days * 86_400_000;
  expect([tokenState(token, at(89)), tokenState(token, at(90))]).toEqual(['valid', 'expired']);
  expect(tokenState({ ...token, revokedAt: day(1) }, at(2))).toBe('revoked');
  expect([endTone(token, at(82)), endTone(token, at(84))]).toEqual(['', 'warn']);
  expect([idleTone(token, at(60)), idleTone(token, at(61))]).toEqual(['', 'warn']);
  expect(idleTone({ ...token, lastUsedAt: day(10) }, at(61))).toBe('');
});

it('WHO-10 each event of the log has words, and an address narrows by none but those', () => {
  expect(logEvents.toSorted()).toEqual(securityEventSchema.options.toSorted());
  const filter = (text: string) => filterOf(new URLSearchParams(text));
  expect(filter('what=sign_in&who=ci&result=done')).toEqual({
    ...{ what: 'sign_in', who: 'ci', result: 'done' },
  });
  expect(filter('what=everything&result=x&who=&limit=9')).toEqual({});
});

it('WHO-10 only a goal’s own id leads to its page, whatever else callers wrote', () => {
  const of = (subject: string | null) => goalOf({ subject } as LogEntry);
  const id = 'g-0123456789abcdef';
  for (const subject of [id, `GET /v1/goals/${id}`, `GET /v1/goals/${id}/gate?x`]) {
    expect(of(subject)).toBe(id);
  }
  for (const subject of [null, 'ci', `//${id}`, `${id}0`, `x ${id}`, 'GET /v1/goals/../x']) {
    expect(of(subject)).toBeNull();
  }
});

it('SEAL-9 the form sends what the service seals, and puts its refusals at their fields', () => {
  const told = { name: ' held-out ', description: 'all years' };
  const command = { ...told, command: 'npm test', hint: 'name', setup: '', expectExit: '1' };
  const archive = { name: 'a.tar', bytes: 3, sha256: null, base64: 'AAAA' };
  for (const [kind, values] of [
    ['command', command],
    ['review', { ...told, rubric: 'Is it kind?', model: 'openai/a' }],
  ] as const) {
    const form = { kind, values };
    expect(seal.sealProblems(form)).toEqual({});
    const input = seal.sealInput(form, archive);
    expect(sealInputSchema.parse(input)).toEqual(input);
  }
  expect(Object.keys(seal.sealProblems(seal.emptySeal))).toEqual([
    ...['name', 'description', 'command'],
  ]);
  const refusal = (field: string) => seal.sealRefusal({ field, detail: 'no' } as never);
  expect(refusal('archive')).toEqual({ archive: 'no' });
  expect(refusal('criterion.command')).toEqual({ command: 'no' });
  expect(refusal('body')).toEqual({});
  expect(seal.MOST_ARCHIVE_BYTES).toBe(MOST_ARCHIVE_BYTES);
});

it('CON-112: what an entry of the security log holds is told in words and times of people', () => {
  const archive = { path: '/keep/g-1.goal.jsonl', host: 'one', sha256: null };
  const data = {
    archive,
    expiresAt: '2027-02-26T22:54:49.590Z',
    workspaces: ['a', 'b'],
    note: null,
  };
  expect(dataWords({ data })).toBe(
    'archive: path /keep/g-1.goal.jsonl, host one, expires at: 2027-02-26 22:54:49 UTC, workspaces: a b',
  );
});
