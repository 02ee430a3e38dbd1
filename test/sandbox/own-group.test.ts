import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openGroups } from '../../src/sandbox/groups/groups.ts';
import { ownGroup } from '../../src/sandbox/groups/own-group.ts';
import { testWith } from '../support/needs.ts';
import { temporaryFolder } from '../tools/support.ts';

const mount = (root: string, at: string, kind = 'cgroup2') =>
  `31 23 0:27 ${root} ${at} rw,nosuid shared:4 - ${kind} ${kind} rw,nsdelegate\n`;
const PLACES = [
  {
    of: 'a unit of systemd',
    groups: '0::/system.slice/goalkeeper.service\n',
    mounts: mount('/', '/sys/fs/cgroup'),
    own: { folder: '/sys/fs/cgroup/system.slice/goalkeeper.service', isTop: false },
  },
  {
    of: 'a container',
    groups: '0::/\n',
    mounts: mount('/', '/sys/fs/cgroup'),
    own: { folder: '/sys/fs/cgroup', isTop: true },
  },
  {
    of: 'a container without a namespace for groups',
    groups: '0::/docker/4f\n',
    mounts: mount('/docker/4f', '/sys/fs/cgroup'),
    own: { folder: '/sys/fs/cgroup', isTop: true },
  },
  {
    of: 'a machine with both versions',
    groups: '4:memory:/a\n0::/b\n',
    mounts: mount('/', '/sys/fs/cgroup/memory', 'cgroup') + mount('/', '/sys/fs/cgroup/unified'),
    own: { folder: '/sys/fs/cgroup/unified/b', isTop: false },
  },
  {
    of: 'a mount with a blank in its name',
    groups: '0::/b\n',
    mounts: mount('/', '/mnt/control\\040groups'),
    own: { folder: '/mnt/control groups/b', isTop: false },
  },
  {
    of: 'version 1 alone',
    groups: '4:memory:/a\n',
    mounts: mount('/', '/sys/fs/cgroup'),
    own: null,
  },
  {
    of: 'a group out of sight',
    groups: '0::/../x\n',
    mounts: mount('/', '/sys/fs/cgroup'),
    own: null,
  },
  {
    of: 'a mount of another part',
    groups: '0::/ab\n',
    mounts: mount('/a', '/sys/fs/cgroup'),
    own: null,
  },
];

test.each(PLACES)('GRP-1 the control group is found of $of', ({ groups, mounts, own }) => {
  expect(ownGroup(groups, mounts)).toEqual(own);
});

/** Files as the kernel shows them; nothing happens when they are written. */
async function fake(content: Readonly<Record<string, string>>) {
  const root = await temporaryFolder();
  const top = join(root, 'unit');
  mkdirSync(top);
  for (const [name, text] of Object.entries(content)) writeFileSync(join(top, name), text);
  const files = { groups: join(root, 'groups'), mounts: join(root, 'mounts') };
  writeFileSync(files.groups, '0::/unit\n');
  writeFileSync(files.mounts, mount('/', root.replaceAll(' ', '\\040')));
  return { top, files };
}

const WHOLE = {
  'cgroup.controllers': 'cpu io memory pids\n',
  'cgroup.procs': `${process.pid}\n`,
  'cgroup.subtree_control': '',
  'cgroup.type': 'domain\n',
};

test('GRP-2 where others are in its group, a service divides nothing and says so', async () => {
  const { files, top } = await fake({ ...WHOLE, 'cgroup.procs': `${process.pid}\n4711\n` });
  expect(openGroups(files)).toEqual({
    why: 'other processes are in its control group (4711)',
  });
  expect(readFileSync(join(top, 'cgroup.subtree_control'), 'utf8')).toBe('');
});

test('GRP-2 where its group limits neither memory nor processes, a service says so', async () => {
  const { files } = await fake({ ...WHOLE, 'cgroup.controllers': 'cpu hugetlb\n' });
  expect(openGroups(files)).toEqual({ why: expect.stringContaining('neither memory nor pids') });
});

test('GRP-2 on a kernel that ends no groups, a service says so', async () => {
  const { files } = await fake(WHOLE);
  expect(openGroups(files)).toEqual({ why: 'the kernel is older than 5.14' });
});

testWith({ what: 'root', isThere: process.getuid?.() !== 0 })(
  'GRP-2 where its group is not delegated, a service says so',
  async () => {
    const { files, top } = await fake(WHOLE);
    chmodSync(join(top, 'cgroup.subtree_control'), 0o444);
    expect(openGroups(files)).toEqual({ why: expect.stringContaining('it is not delegated') });
  },
);
