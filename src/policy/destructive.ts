import { isShell, programOf, takesCode } from '../shell/read/given-code.ts';
import type { Segment } from '../shell/read/segments.ts';
import { isBuilt } from './build-folders.ts';
import { deletersNamed, deletesFound, isNarrow, startsOf } from './find-command.ts';
import { destroysByCode, runsFromNetwork } from './foreign-code.ts';

/** A kind of command that needs approval unless a rule decides otherwise. */
interface Danger {
  readonly name: string;
  readonly matches: (command: Read) => boolean;
}

interface Read {
  readonly program: string;
  /** Everything behind the program. */
  readonly args: readonly string[];
  /** The arguments that are not flags. */
  readonly operands: readonly string[];
  readonly segment: Segment;
}

/** Letters of all short flags, and long ones as they are. */
const has = (args: readonly string[], short: string, ...long: readonly string[]): boolean =>
  args.some(
    (arg) =>
      long.some((flag) => arg === flag || arg.startsWith(`${flag}=`)) ||
      (short !== '' && /^-[A-Za-z]+$/.test(arg) && arg.includes(short)),
  );

function deletesTree({ program, args, operands, segment }: Read): boolean {
  if (/^(rimraf|del-cli|shred|srm)$/.test(program)) return !areBuilt(operands, segment);
  if (program === 'find' && deletesFound(args))
    return !isNarrow(args) && !areBuilt(startsOf(args), segment);
  if (/^(xargs|parallel)$/.test(program)) return deletersNamed(args);
  if (program !== 'rm') return false;
  const isAll = operands.some((path) => /^(\.?\/)?\*$/.test(path));
  const isDeep = has(args, 'r', '--recursive') || has(args, 'R');
  return (isDeep || isAll) && !areBuilt(operands, segment);
}

const areBuilt = (paths: readonly string[], { isInWorkspace }: Segment): boolean =>
  isInWorkspace && paths.length > 0 && paths.every(isBuilt);

/** The verb of git and what follows it, without the flags that stand before. */
function gitOf({ program, args }: Read): { verb: string; rest: readonly string[] } | null {
  if (program !== 'git') return null;
  const at = args.findIndex(
    (arg, index) =>
      !arg.startsWith('-') &&
      !/^(-C|-c|--git-dir|--work-tree|--namespace)$/.test(args[index - 1] ?? ''),
  );
  return { verb: args[at] ?? '', rest: args.slice(at + 1) };
}

function forcesPush(command: Read): boolean {
  const git = gitOf(command);
  if (git?.verb !== 'push') return false;
  const isForced = git.rest.some((arg) => /^(--force|--mirror|--delete|--prune)/.test(arg));
  const isRefForced = git.rest.some((arg) => /^[+:]./.test(arg));
  return isForced || isRefForced || has(git.rest, 'f') || has(git.rest, 'd');
}

function discardsWork(command: Read): boolean {
  const git = gitOf(command);
  if (git === null) return false;
  const { verb, rest } = git;
  switch (verb) {
    case 'reset':
      return has(rest, '', '--hard', '--merge');
    case 'clean':
      return !has(rest, 'n', '--dry-run');
    case 'branch':
      return has(rest, 'D') || (has(rest, 'd', '--delete') && has(rest, 'f', '--force'));
    case 'rm':
      return !has(rest, '', '--cached') && (has(rest, 'r') || has(rest, 'f', '--force'));
    case 'stash':
      return /^(drop|clear)$/.test(rest[0] ?? '');
    case 'checkout':
    case 'restore':
    case 'switch':
      return (
        has(rest, 'f', '--force', '--discard-changes') ||
        (verb !== 'switch' && rest.some((arg) => /^(\.\/?|:\/|\*)$/.test(arg)))
      );
    case 'reflog':
      return /^(expire|delete)$/.test(rest[0] ?? '');
    case 'update-ref':
      return has(rest, 'd');
    default:
      return /^(filter-branch|filter-repo)$/.test(verb);
  }
}

/** `program` and, as its first operands, one of these. */
const verbs =
  (table: Readonly<Record<string, RegExp>>) =>
  ({ program, operands }: Read): boolean => {
    const wanted = Object.hasOwn(table, program) ? table[program] : undefined;
    return wanted?.test(operands.join(' ')) === true;
  };

const publishes = verbs({
  npm: /^(publish|unpublish|deprecate|dist-tag|access|owner)( |$)/,
  pnpm: /(^| )publish( |$)/,
  yarn: /^(npm )?publish( |$)/,
  bun: /^publish( |$)/,
  lerna: /^publish( |$)/,
  changeset: /^publish( |$)/,
  cargo: /^(publish|yank)( |$)/,
  twine: /^upload( |$)/,
  poetry: /^publish( |$)/,
  uv: /^publish( |$)/,
  flit: /^publish( |$)/,
  hatch: /^publish( |$)/,
  gem: /^(push|yank)( |$)/,
  docker: /(^| )push( |$)/,
  podman: /(^| )push( |$)/,
  helm: /^(push|uninstall|delete)( |$)/,
  mvn: /(^| )deploy( |$)/,
  gradle: /(^| )publish\w*( |$)/,
  gradlew: /(^| )publish\w*( |$)/,
  vsce: /^publish( |$)/,
  goreleaser: /^release( |$)/,
  gh: /^(release (create|delete|edit)|repo delete|pr merge)( |$)/,
  dotnet: /^nuget (push|delete)( |$)/,
});

const removesContainers = ({ program, args, operands }: Read): boolean => {
  if (!/^(docker|podman|nerdctl|docker-compose)$/.test(program)) return false;
  const text = operands.join(' ');
  const isDown = /(^| )down( |$)/.test(text) && has(args, 'v', '--volumes');
  const isForced = /(^| )(rm|rmi)( |$)/.test(text) && has(args, 'f', '--force');
  return isDown || isForced || /(^| )(prune|volume (rm|remove)|system reset)( |$)/.test(text);
};

const destroysRemotely = verbs({
  terraform: /(^| )destroy( |$)/,
  tofu: /(^| )destroy( |$)/,
  pulumi: /^(destroy|stack rm)( |$)/,
  kubectl: /(^| )(delete|drain)( |$)/,
  aws: /(^| )(rb|rm|delete-[\w-]+|terminate-[\w-]+)( |$)/,
  gcloud: /(^| )delete( |$)/,
  gsutil: /(^| )(rm|rb)( |$)/,
  az: /(^| )delete( |$)/,
  heroku: /^(apps:destroy|pg:reset)( |$)/,
  fly: /(^| )destroy( |$)/,
  flyctl: /(^| )destroy( |$)/,
  vercel: /^(remove|rm)( |$)/,
});

const sqlClients =
  /^(psql|pgcli|mysql|mariadb|mycli|sqlite3?|sqlcmd|clickhouse(-client)?|cockroach|duckdb|mongosh?|cqlsh|redis-cli|valkey-cli)$/;
const sqlDrops =
  /\b(drop\s+(database|schema|table|user|role|owned)|truncate\s+\w|delete\s+from\s+[\w."]+\s*(;|$)|dropDatabase\s*\(|\.drop\s*\(|flushall|flushdb)/i;

const dropsByTool = verbs({
  mysqladmin: /(^| )drop( |$)/,
  prisma: /^migrate reset( |$)/,
  rails: /^db:(drop|reset|purge|schema:load)/,
  rake: /^db:(drop|reset|purge|schema:load)/,
  sequelize: /^db:(drop|migrate:undo:all)/,
  'sequelize-cli': /^db:(drop|migrate:undo:all)/,
  typeorm: /^schema:drop/,
  mix: /^ecto\.(drop|reset)/,
  diesel: /^database (reset|drop)/,
  sqlx: /^database (drop|reset)/,
  'manage.py': /^(flush|reset_db|sqlflush)/,
  artisan: /^(migrate:(fresh|reset|refresh)|db:wipe)/,
  supabase: /^db reset/,
});

function dropsData(command: Read): boolean {
  const { program, args, segment } = command;
  if (/^(dropdb|dropuser)$/.test(program) || dropsByTool(command)) return true;
  if (program === 'prisma' && args.includes('--force-reset')) return true;
  const script = args.findIndex((arg) => /(^|\/)(manage\.py|artisan)$/.test(arg));
  if (/^(python[\d.]*|php)$/.test(program) && script >= 0) {
    return dropsData(readAs(args.slice(script), segment));
  }
  return (
    sqlClients.test(program) &&
    [...args, ...segment.redirects, ...segment.input].some((text) => sqlDrops.test(text))
  );
}

/** Processes that the line itself started may be ended: `$!` and jobs. */
function killsOthers({ program, args }: Read): boolean {
  if (/^(pkill|killall|skill|xkill|killall5)$/.test(program)) return true;
  if (program === 'fuser') return has(args, 'k', '--kill');
  if (program !== 'kill') return false;
  const [first = ''] = args;
  if (/^-(0|l|L|-list|-table)$/.test(first)) return false;
  // A number behind the signal is a group of processes, and -1 are all.
  const signals = /^-(s|n|-signal)$/.test(first) ? 2 : Number(/^-[A-Z\d]|^--signal=/.test(first));
  const targets = args.slice(signals).filter((arg) => arg !== '--');
  return targets.some((arg) => !/^(\$!|\$\{!\}|%.*)$/.test(arg));
}

function touchesDisks({ program, args, segment }: Read): boolean {
  const isTool =
    /^(mkfs([._].*)?|mke2fs|fdisk|sfdisk|gdisk|sgdisk|parted|wipefs|mkswap|blkdiscard|cryptsetup|zpool|lvremove|vgremove|pvremove)$/.test(
      program,
    );
  const devices = /^\/dev\/(sd|hd|vd|xvd|nvme|mmcblk|disk|dm-|mapper)/;
  const isWritten = [...segment.redirects, ...args.map((arg) => arg.replace(/^of=/, ''))].some(
    (path) => devices.test(path),
  );
  return isTool || program === 'dd' || isWritten;
}

const stopsTheMachine = ({ program, operands }: Read): boolean =>
  /^(shutdown|reboot|halt|poweroff|telinit)$/.test(program) ||
  (program === 'systemctl' &&
    /^(stop|disable|mask|kill|restart|poweroff|reboot|halt)( |$)/.test(operands.join(' ')));

const changesModesOutside = ({ program, args, operands, segment }: Read): boolean =>
  /^(chmod|chown|chgrp)$/.test(program) &&
  has(args, 'R', '--recursive') &&
  (!segment.isInWorkspace || operands.slice(1).some((path) => /^[/~]|(^|\/)\.\.(\/|$)/.test(path)));

/** Flags that name code or a file are no reason to read what comes through the pipe. */
const readsCodeFromPipe = ({ program, args, segment }: Read): boolean => {
  if (!segment.isPipedInto) return false;
  const isInterpreter = /^(python[\d.]*|node|deno|ruby|perl|php|bun)$/.test(program);
  if (isInterpreter) return args.length === 0 || args[0] === '-';
  if (!isShell(segment.words[0])) return false;
  return (
    !args.some((arg) => takesCode.test(arg)) && !args.some((arg) => /^[^-+].*\.\w+$/.test(arg))
  );
};

const dangers: readonly Danger[] = [
  { name: 'deletes files beyond build folders', matches: deletesTree },
  {
    name: 'deletes files beyond build folders by code',
    matches: ({ segment }) => destroysByCode(segment),
  },
  { name: 'rewrites or deletes what was pushed', matches: forcesPush },
  { name: 'discards work that git holds or sees', matches: discardsWork },
  { name: 'writes to disks', matches: touchesDisks },
  { name: 'runs code that comes through a pipe', matches: readsCodeFromPipe },
  {
    name: 'runs code that comes from the network',
    matches: ({ segment }) => runsFromNetwork(segment),
  },
  { name: 'publishes', matches: publishes },
  { name: 'removes containers, images or volumes', matches: removesContainers },
  { name: 'destroys remote resources', matches: destroysRemotely },
  { name: 'ends processes that it did not start', matches: killsOthers },
  { name: 'drops data of a database', matches: dropsData },
  {
    name: 'uses the rights of another user',
    matches: ({ program }) => /^(sudo|doas|su|run0|pkexec)$/.test(program),
  },
  { name: 'stops services or the machine', matches: stopsTheMachine },
  { name: 'changes owners or modes outside of the workspace', matches: changesModesOutside },
  {
    name: 'clears the schedule',
    matches: ({ program, args }) => program === 'crontab' && has(args, 'r'),
  },
];

function readAs(words: readonly string[], segment: Segment): Read {
  const [first = '', ...args] = words;
  return {
    // Also as package runners name it, with a version.
    program: programOf({ text: first, isFixed: true }).replace(/(?<=.)@.*$/, ''),
    args,
    operands: args.filter((arg) => !arg.startsWith('-')),
    segment,
  };
}

/** Why a person should be asked about a command that nobody made a rule for; null = no reason. */
export function dangerOf(segment: Segment): string | null {
  const command = readAs(
    segment.words.map(({ text }) => text),
    segment,
  );
  return dangers.find(({ matches }) => matches(command))?.name ?? null;
}
