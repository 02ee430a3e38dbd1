import type { UseQueryResult } from '@tanstack/react-query';
import type { Provider } from '../../api/types.ts';
import { Spark } from '../../components/spark.tsx';
import { errorsText, isDegraded, providerText, recentErrorsText } from '../../view/operations.ts';
import { OpsPane } from './ops-pane.tsx';

export function ProvidersPane({ query }: { readonly query: UseQueryResult<readonly Provider[]> }) {
  return (
    <OpsPane title="Model providers" count="today" query={query}>
      {(providers) => (
        <>
          {providers.map((provider) => (
            <ProviderRow key={provider.model} provider={provider} />
          ))}
          <p className="text-small text-muted ops-note">
            {providers.length === 0
              ? 'No model was asked today.'
              : 'Bars: errors in each of the last 20 minutes. What a provider refuses is tried again and costs nothing.'}
          </p>
        </>
      )}
    </OpsPane>
  );
}

function ProviderRow({ provider }: { readonly provider: Provider }) {
  const { model, recentErrors } = provider;
  const isBad = isDegraded(provider);
  const errors = errorsText(provider);
  return (
    <div className="ops-provider">
      <div className="row">
        <h3 className="mono">{model}</h3>
        <span className={`tag ${isBad ? 'tone-warn' : 'tone-ok'}`}>
          {isBad ? 'degraded' : 'healthy'}
        </span>
        <span className="grow" />
        <Spark values={recentErrors} tone="bad" text={recentErrorsText(provider)} />
      </div>
      <p className="text-small text-muted tabular">
        {errors === '' ? 'no errors' : <span className={isBad ? 'tone-warn' : ''}>{errors}</span>},{' '}
        {providerText(provider)}
      </p>
    </div>
  );
}
