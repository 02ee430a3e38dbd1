import { tellFaults } from './provider-fault-cases.ts';
import { ANTHROPIC, COMPATIBLE, GOOGLE } from './provider-world.ts';

tellFaults([COMPATIBLE, ANTHROPIC, GOOGLE]);
