import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useMayAct, useSeesLog } from '../../session/session-context.tsx';

const names = [
  ['tokens', 'Tokens'],
  ['principals', 'Principals'],
  ['rules', 'Rules'],
  ['security', 'Security log'],
  ['anchors', 'Anchors'],
] as const;

/** The head of all settings; an act of the tab stands at its right. */
export function SettingsHead({ children }: { readonly children?: ReactNode }) {
  const [path] = useLocation();
  const mayAct = useMayAct();
  const seesLog = useSeesLog();
  const shown = names.filter(([name]) => mayAct && (name !== 'security' || seesLog));
  return (
    <header className="page-head">
      <div className="row settings-title">
        <div className="grow">
          <h1>Settings</h1>
          <p className="page-summary">Who may do what, and who did.</p>
        </div>
        {children}
      </div>
      <nav className="tabs" aria-label="Settings">
        {shown.map(([name, label]) => (
          <Link
            key={name}
            href={`/settings/${name}`}
            aria-current={path === `/settings/${name}` ? 'page' : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
    </header>
  );
}
