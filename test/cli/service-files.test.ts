import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { launchAgent, type ServicePlan, systemdUnit } from '../../src/cli/service-files.ts';

const plan: ServicePlan = {
  node: '/usr/bin/node',
  entry: '/opt/my app/main.js',
  arguments: ['--workspace', 'shop=/srv/100% "shop" $HOME'],
  home: '/home/a & b/goalkeeper',
  path: '/usr/bin:/bin',
  user: null,
};

test('SERVE-17 the systemd unit keeps each word as it is, and stops up alone', () => {
  const unit = systemdUnit(plan);
  expect(unit).toContain(
    'ExecStart="/usr/bin/node" "/opt/my app/main.js" "up" "--workspace" "shop=/srv/100%% \\"shop\\" $$HOME"',
  );
  expect(unit).toContain('KillMode=mixed');
  expect(unit).toContain('\nDelegate=yes\n');
  expect(unit).toContain('WantedBy=default.target');
  expect(unit).not.toContain('User=');
});

test('SERVE-17 a unit of the system runs as its user', () => {
  expect(systemdUnit({ ...plan, user: 'goalkeeper' })).toMatch(
    /User=goalkeeper\nStateDirectory=goalkeeper\n.*WantedBy=multi-user.target/s,
  );
});

test('SERVE-17 the launch agent is XML, and its shell reads the settings and becomes up', () => {
  const home = mkdtempSync(join(tmpdir(), 'goalkeeper-agent-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  writeFileSync(join(home, 'service.env'), "GOALKEEPER_MODEL='own/x'\n");
  const agent = launchAgent({ ...plan, home, node: 'printenv', entry: 'GOALKEEPER_MODEL' });
  expect(launchAgent(plan)).toContain('/home/a &amp; b/goalkeeper');
  const words = [...agent.matchAll(/^ {4}<string>(.*)<\/string>$/gm)].map(([, word = '']) =>
    word.replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
  );
  const [shell = '', ...rest] = words.slice(0, words.indexOf('up'));
  expect(spawnSync(shell, rest, { encoding: 'utf8' }).stdout).toBe('own/x\n');
});
