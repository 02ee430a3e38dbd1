const widths = [62, 48, 71, 55, 66, 42, 58, 50];

/** The list's own layout, in grey. */
export function ListSkeleton() {
  return (
    <div aria-busy="true" role="status" aria-label="Loading goals">
      {widths.map((width) => (
        <div key={width} className="goal-grid goal-row">
          <span className="skeleton select-cell" style={{ width: 16, height: 16 }} />
          <div className="objective-cell">
            <span className="skeleton" style={{ width: `${width}%`, marginBottom: 8 }} />
            <span className="skeleton" style={{ width: `${width / 2}%`, height: 8 }} />
          </div>
          <span className="skeleton actor-cell" style={{ width: '80%', height: 18 }} />
          <span className="skeleton proof-cell" />
          <span className="skeleton budget-cell" />
          <span className="skeleton cost-cell" />
          <span className="skeleton activity-cell" />
        </div>
      ))}
    </div>
  );
}
