import { tellFaults } from './provider-fault-cases.ts';
import { ANTHROPIC, GOOGLE } from './provider-world.ts';

tellFaults([ANTHROPIC, GOOGLE]);
