import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openGroups } from '../../src/sandbox/groups/groups.ts';

/** Enters the group that is named, alone, and tells what a service would have there. */
const [, , group = ''] = process.argv;
writeFileSync(join(group, 'cgroup.procs'), '0');
process.stdout.write(JSON.stringify(openGroups()));
