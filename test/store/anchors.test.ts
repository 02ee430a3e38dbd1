import { execFileSync } from 'node:child_process';
import { appendFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anchorOnce } from '../../src/anchors/anchorer.ts';
import { createAnchors } from '../../src/anchors/anchors-port.ts';
import { fileTarget } from '../../src/anchors/file-target.ts';
import { gitTarget } from '../../src/anchors/git-target.ts';
import type { AnchorTarget } from '../../src/contract/anchors.ts';
import { createAnchorStore } from '../../src/store/anchors/anchors.ts';
import { beginSealing } from '../../src/store/ledger/begin-sealing.ts';
import { type LedgerKey, ledgerKeys } from '../../src/store/ledger/ledger-keys.ts';
import { addToSecurityLog } from '../../src/store/ledger/security-entries.ts';
import { gitIn } from '../support/git.ts';
import {
  mutation,
  type OpenRecord,
  openRecord,
  settledCall,
  startedCall,
} from './record-fixture.ts';

const keys = ledgerKeys(['a key that nobody guesses']);
const key = keys.sealing as LedgerKey;

let stores: OpenRecord;
let folder: string;
let places: { file: AnchorTarget; git: AnchorTarget };
beforeAll(async () => {
  stores = await openRecord(keys);
  expect(await beginSealing(stores.db, keys)).toBe('begun');
  folder = await mkdtemp(join(tmpdir(), 'goalkeeper-anchors-'));
  execFileSync('git', ['init', '-q', join(folder, 'repository')]);
  const git = gitTarget(join(folder, 'repository'), 'anchors');
  places = { file: fileTarget(join(folder, 'anchors')), git };
});
afterAll(async () => {
  await stores.close();
  await rm(folder, { recursive: true, force: true });
});

const told: string[] = [];
const log = { warn: (about: { problem?: string }) => told.push(about.problem ?? '') };

/** `every`: seconds between two heads. */
const anchor = (targets: AnchorTarget[] = [places.file, places.git], every = 0) =>
  anchorOnce(
    { store: createAnchorStore(stores.store.sql, key), targets, log: log as never },
    every,
  );

const verify = (targets: AnchorTarget[] = [places.file, places.git], by = keys) =>
  createAnchors(stores.db, by, targets).verify(null);

async function goal(calls = 2) {
  const { execution, fence, goalId } = await stores.openTurn();
  const call = async (step: number) => {
    await stores.journal.startCall(fence, startedCall(step));
    await stores.journal.settleCall(fence, settledCall(step));
  };
  for (let step = 1; step <= calls; step += 1) await call(step);
  return { execution, goalId, call };
}

const TABLES = ['goal', 'journal', 'ledger', 'seal', 'security_log', 'security_head'];
const ANCHORS = ['anchor', 'anchor_leaf', 'anchor_delivery'];

/** The database as it is now, to be put back by somebody later. */
async function backup() {
  const all = [...TABLES, ...ANCHORS];
  const set = (state: 'DISABLE' | 'ENABLE') =>
    all.map((name) => `ALTER TABLE ${name} ${state} TRIGGER ALL`).join(';');
  const copy = async (schema: string) => {
    await stores.db.unsafe(`DROP SCHEMA IF EXISTS ${schema} CASCADE; CREATE SCHEMA ${schema}`);
    for (const name of all)
      await stores.db.unsafe(`CREATE TABLE ${schema}.${name} AS SELECT * FROM public.${name}`);
  };
  const putBack = async (schema: string) => {
    await stores.db.unsafe(set('DISABLE'));
    for (const name of all) {
      await stores.db.unsafe(`DELETE FROM public.${name};
        INSERT INTO public.${name} SELECT * FROM ${schema}.${name}`);
    }
    await stores.db.unsafe(set('ENABLE'));
  };
  await copy('earlier');
  return {
    /** What `verify` says of the database as it was, and then all is as before. */
    async lookAtEarlier() {
      await copy('today');
      await putBack('earlier');
      const verdict = await verify();
      await putBack('today');
      return verdict;
    },
    async lookAfter(statements: string) {
      await copy('today');
      await stores.db.unsafe(set('DISABLE'));
      await stores.db.unsafe(statements);
      await stores.db.unsafe(set('ENABLE'));
      const verdict = await verify();
      await putBack('today');
      expect(await verify()).toMatchObject({ holds: true });
      return verdict;
    },
  };
}

describe('heads that are anchored outside', () => {
  it('REC-21 each place keeps the same signed heads, which the database continues', async () => {
    const { call } = await goal();
    await anchor();
    await call(3);
    await anchor();
    // Nothing changed: no head.
    await anchor();
    const [kept, inGit] = [await places.file.read?.(), await places.git.read?.()];
    expect(kept).toEqual(inGit);
    expect(kept?.anchors.map(({ from }) => from.size)).toEqual([0, kept?.anchors[0]?.size]);
    await call(4);
    expect(await verify()).toMatchObject({ holds: true, anchors: 4, faults: [] });
    expect(await verify(undefined, ledgerKeys(['another key']))).toMatchObject({
      faults: expect.arrayContaining([expect.objectContaining({ fault: 'key' })]),
    });
  });

  it('REC-22 between two intervals a head is made for a completed goal alone', async () => {
    await anchor();
    const heads = async () => (await places.file.read?.())?.anchors.length;
    const before = (await heads()) ?? 0;
    const { execution, goalId } = await goal();
    await anchor(undefined, 3600);
    expect(await heads()).toBe(before);
    await stores.record.commitMutation(execution, mutation({ kind: 'complete' }), goalId);
    await anchor(undefined, 3600);
    expect(await heads()).toBe(before + 1);
  });

  it('REC-23 a whole database of an earlier day is found, and its goals are named', async () => {
    const { goalId, call } = await goal();
    await anchor();
    const day = await backup();
    await call(3);
    const late = await goal();
    await addToSecurityLog(stores.store.sql, keys, {
      ...{ who: 'ada', role: 'admin', address: null, what: 'sign_in' },
      ...{ subject: null, result: 'done', data: {} },
    });
    await anchor();
    const verdict = await day.lookAtEarlier();
    expect(verdict).toMatchObject({ holds: false, wayOut: expect.stringContaining('backup') });
    const faults = verdict.faults.map(({ fault, subject }) => [fault, subject]);
    expect(faults).toContainEqual(['older', undefined]);
    expect(faults).toContainEqual(['went_back', goalId]);
    expect(faults).toContainEqual(['vanished', late.goalId]);
    expect(faults).toContainEqual(['went_back', 'security-log']);
    expect(await verify()).toMatchObject({ holds: true });
  });

  it('REC-24 a goal that vanished, went back or was replaced is named, whatever the leaves say', async () => {
    const { goalId } = await goal();
    await anchor();
    const now = await backup();
    const of = `goal_id = '${goalId}'`;
    const named = (fault: string) => ({ faults: [{ fault, subject: goalId }] });
    const gone = TABLES.slice(0, 4).map((name) => `DELETE FROM ${name} WHERE ${of}`);
    expect(await now.lookAfter(gone.join(';'))).toMatchObject(named('vanished'));
    const back = `DELETE FROM ledger WHERE ${of} AND seq = 4;
      UPDATE journal SET ledger_seq = 3 WHERE ${of}`;
    expect(await now.lookAfter(back)).toMatchObject(named('went_back'));
    const other = `UPDATE ledger SET hash = 'x' WHERE ${of} AND seq = 4`;
    expect(await now.lookAfter(other)).toMatchObject(named('replaced'));
    const forgotten = await now.lookAfter(
      `${gone.join(';')}; DELETE FROM anchor_leaf WHERE subject = '${goalId}'`,
    );
    expect(forgotten.faults.map(({ fault }) => fault)).toContain('older');
    expect(forgotten.faults).toContainEqual(
      expect.objectContaining({ fault: 'vanished', subject: goalId }),
    );
    const edited = `UPDATE anchor_leaf SET seq = 1 WHERE number = 1`;
    expect((await now.lookAfter(edited)).faults[0]).toMatchObject({ fault: 'inconsistent' });
  });

  it('REC-25 two heads of different histories, and one that nobody signed, are found', async () => {
    const [first, second] = (await places.file.read?.())?.anchors ?? [];
    if (first === undefined || second === undefined) throw new TypeError('no anchors');
    const anchors = createAnchors(stores.db, keys, []);
    const forged = { ...second, root: first.root };
    expect((await anchors.verify([first, forged])).faults[0]).toMatchObject({ fault: 'forged' });
    const leaves = { ...second, leaves: second.leaves.slice(1) };
    expect((await anchors.verify([leaves])).faults[0]).toMatchObject({ fault: 'forged' });
    const cut = { ...second, from: { ...second.from, peaks: [] } };
    expect((await anchors.verify([cut])).faults[0]).toMatchObject({ fault: 'forged' });
  });

  it('REC-26 a crash between place and database leaves each head there once', async () => {
    const path = join(folder, 'twice');
    const [file, git] = [fileTarget(path), gitTarget(join(folder, 'repository'), 'twice')];
    await goal();
    const dying = (target: AnchorTarget): AnchorTarget => ({
      ...target,
      async put(head, isOwn) {
        await target.put(head, isOwn);
        throw new Error('the process died here');
      },
    });
    await anchor([dying(file), dying(git)]);
    await stores.db`UPDATE anchor_delivery SET next_at = now()`;
    await anchor([file, git]);
    const kept = [await file.read?.(), await git.read?.()];
    expect(kept.map((place) => place?.anchors.length)).toEqual([1, 1]);
    // A line that a crash cut off stays, and the next head stands behind it.
    await truncate(path, (await readFile(path)).length - 20);
    await goal();
    await anchor([file, git]);
    expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(3);
    expect(await file.read?.()).toMatchObject({ anchors: [{}], damaged: [1] });
  });

  it('REC-27 a place that fails is told, tried again, and keeps nothing else waiting', async () => {
    const away = fileTarget(join(folder, 'nowhere', 'anchors'));
    await goal();
    await anchor([away, places.file]);
    expect(told.at(-1)).toContain('ENOENT');
    const state = () => createAnchors(stores.db, keys, [away, places.file]).state();
    const [waiting, fine] = (await state()).targets;
    expect(waiting).toMatchObject({ size: null, waiting: 1 });
    expect(waiting?.error).toContain('ENOENT');
    expect(fine).toMatchObject({ waiting: 0, error: null });
    expect((await verify([away])).faults[0]).toMatchObject({ fault: 'unreadable' });
    await appendFile(join(folder, 'anchors'), 'not an anchor\n');
    const { faults } = await verify([places.file]);
    expect(faults.map(({ fault }) => fault)).toEqual(['unreadable']);
  });

  it('REC-54 a place that lost heads, or holds lines that are none, is told', async () => {
    const path = join(folder, 'lost');
    const file = fileTarget(path);
    await goal();
    await anchor([file]);
    await goal();
    await anchor([file]);
    const whole = await readFile(path, 'utf8');
    const [first = '', second = ''] = whole.split('\n');
    const saysOf = async (text: string) => {
      await writeFile(path, text);
      const { faults } = await verify([file]);
      return faults.map(({ fault, problem }) => [fault, problem.replace(path, 'PLACE')]);
    };
    expect(await saysOf('')).toEqual([['lost', expect.stringMatching(/PLACE .*keeps none$/)]]);
    expect(await saysOf(`${first}\n`)).toEqual([['lost', expect.stringContaining('none beyond')]]);
    // The newest is cut, and so is what it would tell.
    expect((await saysOf(`${first}\n${second.slice(0, 99)}`)).map(([fault]) => fault)).toEqual([
      'lost',
    ]);
    const edited = [['unreadable', expect.stringContaining('line 1 of file:PLACE')]];
    expect(await saysOf(`${first.replace('"version":1', '"version":2')}\n${second}\n`)).toEqual(
      edited,
    );
    expect(await saysOf(`nothing\n${second}\n`)).toEqual(edited);
    // A crash between two tries leaves the beginning of the line, which is no fault.
    expect(await saysOf(`${first}\n${second.slice(0, 99)}\n${second}\n`)).toEqual([]);
    expect(await saysOf(whole)).toEqual([]);
  });

  it('REC-55 a head of no database that stands in a place keeps nothing away unsaid', async () => {
    const [path, repository] = [join(folder, 'foreign'), join(folder, 'repository')];
    const both = [fileTarget(path), gitTarget(repository, 'foreign')];
    await goal();
    await anchor(both);
    const line = (await readFile(path, 'utf8')).trim();
    const foreign = JSON.stringify({ ...JSON.parse(line), size: 1_000_000, signature: 'x' });
    await appendFile(path, `${foreign}\n`);
    const git = gitIn(repository);
    const tree = git('hash-object', '-t', 'tree', '-w', '/dev/null');
    const commit = git('commit-tree', tree, '-p', 'foreign', '-m', 'x', '-m', foreign);
    git('update-ref', 'refs/heads/foreign', commit);
    await goal();
    await anchor(both);
    const { targets } = await createAnchors(stores.db, keys, both).state();
    for (const { waiting, error } of targets)
      expect([waiting, error]).toEqual([1, expect.stringContaining('another database')]);
    expect((await verify(both)).faults.map(({ fault }) => fault)).toContain('forged');
  });
});

describe('KEEP-82 a place without a first head', () => {
  it('holds before any head is made, and is told once there is one', async () => {
    const own = await openRecord(keys);
    try {
      await beginSealing(own.db, keys);
      execFileSync('git', ['init', '-q', join(folder, 'empty')]);
      const file = fileTarget(join(folder, 'no-head-yet'));
      const git = gitTarget(join(folder, 'empty'), 'anchors');
      const look = () => createAnchors(own.db, keys, [file, git]).verify(null);
      expect(await look()).toMatchObject({ holds: true, anchors: 0, faults: [] });
      await own.openTurn();
      const store = createAnchorStore(own.store.sql, key);
      await anchorOnce({ store, targets: [file], log: log as never }, 0);
      const { faults } = await look();
      expect(faults).toEqual([
        {
          ...{ size: expect.any(Number), fault: 'lost' },
          problem: expect.stringMatching(/^git:.* keeps no head yet/),
        },
      ]);
      await anchorOnce({ store, targets: [git], log: log as never }, 0);
      const missing = fileTarget(join(folder, 'gone', 'place'));
      const verdict = await createAnchors(own.db, keys, [missing]).verify(null);
      expect(verdict.faults).toMatchObject([{ fault: 'unreadable' }]);
    } finally {
      await own.close();
    }
  });
});
