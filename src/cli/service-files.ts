/** What a supervisor of the machine has to know to keep `up` running. */
export interface ServicePlan {
  readonly node: string;
  /** The CLI's main file. */
  readonly entry: string;
  /** Behind `up`. */
  readonly arguments: readonly string[];
  readonly home: string;
  /** Where goals' commands find their programs. */
  readonly path: string;
  /** null = whoever installs it. */
  readonly user: string | null;
}

/** A worker's drain time and the end of the servers behind it. */
const STOP_SECONDS = 360;

export function systemdUnit(plan: ServicePlan): string {
  // `$` begins a variable in commands alone.
  const command = [plan.node, plan.entry, 'up', ...plan.arguments]
    .map((word) => quoted(word).replaceAll('$', '$$$$'))
    .join(' ');
  const user = plan.user === null ? [] : [`User=${plan.user}`, 'StateDirectory=goalkeeper'];
  return `[Unit]
Description=Goalkeeper
After=network-online.target
Wants=network-online.target

[Service]
ExecStart=${command}
ExecReload=/bin/kill -HUP $MAINPID
Environment=${quoted(`GOALKEEPER_HOME=${plan.home}`)}
Environment=${quoted(`PATH=${plan.path}`)}
EnvironmentFile=-${escaped(`${plan.home}/service.env`)}
${user.map((line) => `${line}\n`).join('')}# Each command gets a control group of its own in the service's.
Delegate=yes
# Only "up" is told to stop; it stops its workers and servers in order.
KillMode=mixed
TimeoutStopSec=${STOP_SECONDS}
Restart=on-failure
RestartSec=5
# A setting that is wrong (exit 3) doesn't mend by itself.
RestartPreventExitStatus=3

[Install]
WantedBy=${plan.user === null ? 'default.target' : 'multi-user.target'}
`;
}

/** `%` begins systemd's own specifiers. */
const escaped = (text: string): string => text.replaceAll('%', '%%');

/** As systemd reads words. */
const quoted = (text: string): string => `"${escaped(text).replaceAll(/[\\"]/g, '\\$&')}"`;

/** launchd reads no file of settings, so a shell does. */
export function launchAgent({ node, entry, home, path, arguments: given }: ServicePlan): string {
  const script = 'set -a; [ -f "$0/service.env" ] && . "$0/service.env"; set +a; exec "$@"';
  const words = ['/bin/sh', '-c', script, home, node, entry, 'up', ...given];
  const strings = words.map((word) => `    <string>${inXml(word)}</string>`).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>goalkeeper</string>
  <key>ProgramArguments</key>
  <array>
${strings}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
    <key>GOALKEEPER_HOME</key>
    <string>${inXml(home)}</string>
    <key>PATH</key>
    <string>${inXml(path)}</string>
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ExitTimeOut</key>
  <integer>${STOP_SECONDS}</integer>
  <key>StandardErrorPath</key>
  <string>${inXml(`${home}/up.log`)}</string>
</dict>
</plist>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
const inXml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
