import { tellFaults } from './provider-fault-cases.ts';
import { COMPATIBLE } from './provider-world.ts';

tellFaults([COMPATIBLE]);
