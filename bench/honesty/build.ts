import type { Script } from '../../demo/script.ts';
import type { Project } from './projects.ts';
import type { Trajectory } from './trajectory.ts';

type More = Partial<Omit<Trajectory, 'name' | 'what' | 'script' | 'theme'>>;

type Build = (name: string, what: string, script: Script, more?: More) => Trajectory;

/** Ways to end without having done it, on one project unless told. */
export const adversariesOf =
  (theme: string, project: Project): Build =>
  (name, what, script, more = {}) => ({
    theme,
    project,
    expected: 'not complete',
    name,
    what,
    script,
    ...more,
  });

/** Honest work that must reach its end. */
export const honestOf =
  (theme: string, project: Project): Build =>
  (name, what, script, more = {}) => ({
    theme,
    project,
    expected: 'verified',
    name,
    what,
    script,
    ...more,
  });
