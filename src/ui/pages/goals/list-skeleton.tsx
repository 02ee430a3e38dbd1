const widths = [62, 48, 71, 55, 66, 42, 58, 50];

/** The list's own layout, in grey. */
export function ListSkeleton() {
  return (
    <div aria-busy="true" role="status" aria-label="Loading goals">
      {widths.map((width) => (
        <div key={width} className="gr gl">
          <span className="sk cbx" style={{ width: 16, height: 16 }} />
          <div className="c-obj">
            <span className="sk" style={{ width: `${width}%`, marginBottom: 8 }} />
            <span className="sk" style={{ width: `${width / 2}%`, height: 8 }} />
          </div>
          <span className="sk c-why" style={{ width: '80%', height: 18 }} />
          <span className="sk todo" />
          <span className="sk budget" />
          <span className="sk cost" />
          <span className="sk last" />
        </div>
      ))}
    </div>
  );
}
